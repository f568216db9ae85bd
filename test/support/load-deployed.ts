import { CodeStore } from '../../src/customrest/code-store.ts'
import { writeDeployment } from './trigger-files.ts'

/** Loads these files of a deployment as a server that starts does, and says what it says of them. */
export async function loadDeployed(files: Readonly<Record<string, string>>): Promise<void> {
  const options = { threads: 1, megabytes: 64, watch: false, observe: () => {} }
  const code = await CodeStore.open(writeDeployment(files), options)
  await code.close()
}

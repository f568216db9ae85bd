import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A package that ours is measured against is no dependency of ours, because it is hundreds of packages: it is installed
 * outside the repository when it is missing, and stays there.
 * @param others what npm is to install with it
 * @returns the folder that it is installed in
 */
export function installPackage(name: string, version: string, others: readonly string[] = []): string {
  const folder = join(tmpdir(), `objectry-${name}-${version}`)
  const file = join(folder, 'node_modules', name, 'package.json')
  if (existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).version === version) return folder
  console.error(`Installing ${name} ${version} into ${folder}: hundreds of packages`)
  mkdirSync(folder, { recursive: true })
  // The npm that runs this script, on the Node that runs it; else the one in the path.
  const npm = process.env.npm_execpath
  const [command, first] = npm === undefined ? ['npm', []] : [process.execPath, [npm]]
  const args = ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund']
  const { status } = spawnSync(command, [...first, ...args, `${name}@${version}`, ...others], {
    cwd: folder,
    // Standard output is for the table.
    stdio: ['ignore', 2, 2],
  })
  if (status !== 0) throw new Error(`npm ended with ${status}`)
  return folder
}

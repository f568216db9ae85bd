import { Argument, Command } from 'commander'
import type { Terminal } from './command/terminal.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const

/** The scripts are loaded for this command only. */
async function makeScript(shell: (typeof SHELLS)[number], program: Command): Promise<string> {
  const { makeTree } = await import('./completion/command-tree.ts')
  const tree = makeTree(program)
  if (shell === 'bash') return (await import('./completion/bash-script.ts')).bashScript(tree)
  if (shell === 'zsh') return (await import('./completion/zsh-script.ts')).zshScript(tree)
  return (await import('./completion/fish-script.ts')).fishScript(tree)
}

/** `objectry completion bash`: a script by which a shell completes commands, flags and their values. */
export function completionCommand(terminal: Terminal, program: Command): Command {
  return new Command('completion')
    .description('Print a script by which a shell completes commands and flags.')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .action(async (shell: (typeof SHELLS)[number]) => {
      terminal.stdout.write(await makeScript(shell, program))
    })
}

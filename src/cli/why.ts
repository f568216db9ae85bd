import { Command } from 'commander'
import type { Explanation } from '../access/why.ts'
import { addOrgFlags, type Flags } from './command/setting-flags.ts'
import type { Terminal } from './command/terminal.ts'
import { readBody } from './reach/record-pages.ts'
import { addJsonFlag } from './result/outcome.ts'
import { workIn } from './work/work-command.ts'

interface WhyBody extends Explanation {
  readonly user: string
  readonly record: string
}

/** One paragraph for each thing that can be done with the record. */
function whyText({ user, record, object, name, verdicts }: WhyBody): string {
  const paragraphs = verdicts.map(({ what, allowed, because }) => {
    const head = `${user} ${allowed ? 'can' : 'cannot'} ${what} it:`
    return [head, ...because.map((sentence) => `  - ${sentence}.`)].join('\n')
  })
  const title = name === null ? `${object} ${record}` : `${object} "${name}" (${record})`
  return `${[title, ...paragraphs].join('\n\n')}\n`
}

const why =
  (terminal: Terminal) =>
  (user: string, record: string, flags: Flags): Promise<void> =>
    workIn(terminal, flags, {}, async (org) => {
      const parameters = new URLSearchParams({ user, record })
      const answer = await readBody<WhyBody>(org.call('GET', `/setup/orgs/current/why?${parameters}`))
      return { text: whyText(answer), answer }
    })

/** `objectry why ada@example.com 001...`: who may do what with a record, in words. */
export function whyCommand(terminal: Terminal): Command {
  const command = new Command('why')
    .description('Explain why a user can or cannot see, edit or delete a record.')
    .argument('<user>', 'username or id')
    .argument('<record>', 'id of the record')
  return addOrgFlags(addJsonFlag(command), []).action(why(terminal))
}

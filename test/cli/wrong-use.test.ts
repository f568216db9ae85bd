import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { runCommandProcess } from '../support/command-process.ts'
import { ON_EMBEDDED } from '../support/engine.ts'
import { runCommand } from '../support/run-command.ts'

/** Returns the message of a wrong command line on stderr; its exit code is 2, and nothing is on stdout. */
async function refusal(...args: string[]): Promise<string> {
  const { code, out, error } = await runCommand(args)
  assert.deepEqual([code, out], [2, ''], args.join(' '))
  return error
}

describe('a command line that is wrong ends with 2', ON_EMBEDDED, () => {
  test('an unknown command names the one that was meant, and all that there are', async () => {
    assert.match(
      await refusal('qery', 'SELECT Id FROM Account', '--format', 'csv'),
      /^error: unknown command 'qery'\n\(Did you mean query\?\)\n\nCommands:\n {2}serve init doctor .*\bquery\b/s,
    )
  })

  test('an unknown command that is like none names all that there are', async () => {
    assert.match(await refusal('xyzzy'), /^error: unknown command 'xyzzy'\n\nCommands:\n/)
  })

  test('an unknown command of a group names those of the group', async () => {
    assert.equal(
      await refusal('org', 'lst', '--data', 'x'),
      [
        "error: unknown command 'lst'",
        '(Did you mean list?)',
        '',
        'Commands:',
        '  create fork list move reset delete help',
        'What they do: objectry org --help',
        '',
      ].join('\n'),
    )
  })

  const mistakes: Readonly<Record<string, readonly [args: string[], message: RegExp]>> = {
    'a group without a command': [['org'], /^Usage: objectry org /],
    'an unknown flag': [
      ['query', 'SELECT', '--formt', 'csv'],
      /unknown option '--formt'\n\(Did you mean --format\?/,
    ],
    'a missing argument': [['query'], /missing required argument 'query'/],
    'a command behind flags': [
      ['--port', '9000', 'query', 'SELECT'],
      /^error: 'query' stands behind flags, where it is no command\. Put it first: objectry query/,
    ],
    'an unknown command behind flags': [
      ['--port', '9000', 'qery'],
      /unknown command 'qery'\n\(Did you mean query/,
    ],
    'an argument too many': [['serve', 'now'], /too many arguments for 'serve'/],
    'a missing flag': [['user', 'create', 'ada@example.com'], /required option '--profile <name>'/],
    'a value that is not among the choices': [
      ['query', 'SELECT', '--format', 'xls'],
      /Allowed choices are table, csv, json/,
    ],
    'an empty name': [['org', 'create', ''], /^error: the argument 'name' of 'objectry org create' is empty/],
    'an empty name that could be left out': [
      ['snapshot', 'save', ''],
      /^error: the argument 'name' of 'objectry snapshot save' is empty/,
    ],
    'an empty id among others': [['job', 'replay', 'x', ''], /'id' of 'objectry job replay' is empty/],
    'a state that no bulk job has': [
      ['bulk', 'list', '--state', 'Bogus'],
      /Allowed choices are Open, UploadComplete, InProgress, JobComplete, Failed, Aborted\./,
    ],
    'a value that a command refuses': [
      ['import', '-', '--object', 'Account', '--key', 'X__c'],
      /--key is for --operation upsert/,
    ],
    'a wrong setting': [
      ['query', 'SELECT', '--statement-seconds', 'soon'],
      /OBJECTRY_STATEMENT_SECONDS must be a whole number/,
    ],
  }
  for (const [name, [args, message]] of Object.entries(mistakes)) {
    test(name, async () => assert.match(await refusal(...args), message))
  }

  // A server ends its process itself.
  test('a flag of the default command with a wrong value', async () => {
    const { code, out, error } = await runCommandProcess(['--port', 'http'])
    assert.deepEqual([code, out], [2, ''])
    assert.match(error, /^Objectry did not start: PORT must be/)
  })
})

test('help and the version end with 0', ON_EMBEDDED, async () => {
  for (const args of [['--help'], ['help', 'query'], ['org', '--help'], ['-V']]) {
    const { code, error } = await runCommand(args)
    assert.deepEqual([code, error], [0, ''], args.join(' '))
  }
})

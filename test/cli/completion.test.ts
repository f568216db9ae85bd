import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { before, describe, test } from 'node:test'
import { ON_EMBEDDED } from '../support/engine.ts'
import { runCommand } from '../support/run-command.ts'

/** How each shell is asked for its completions of a line. */
const SHELLS: Readonly<Record<string, { args: string[]; ask: (words: readonly string[]) => string }>> = {
  bash: {
    args: ['--norc', '--noprofile'],
    ask: (words) => `compopt() { :; }
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
_objectry; printf '%s\\n' "\${COMPREPLY[@]}"`,
  },
  zsh: {
    // The builtins that show completions work at a prompt only: here they print what they are given.
    args: ['-f'],
    ask: (words) => `_describe() { local list=\${@[-1]}; print -rl -- \${(@)\${(@P)list}%%:*} }
compadd() { shift; print -rl -- "$@" }
_files() { : }
words=(${words.map((word) => `'${word}'`).join(' ')}); CURRENT=${words.length}
_objectry`,
  },
  fish: { args: ['--no-config'], ask: (words) => `complete -C '${words.join(' ')}' | string split -f1 \\t` },
}

for (const [shell, { args, ask }] of Object.entries(SHELLS)) {
  const isThere = spawnSync(shell, ['--version']).status === 0
  const options = ON_EMBEDDED.skip ? ON_EMBEDDED : { skip: !isThere && `${shell} is not installed` }
  describe(`completion ${shell}`, options, () => {
    let script: string

    before(async () => {
      const { code, out, error } = await runCommand(['completion', shell])
      assert.deepEqual([code, error], [0, ''])
      script = out
    })

    /** Returns the words that may stand at the end of the line; zsh itself compares with what was typed so far. */
    function complete(...words: string[]): string[] {
      const prelude = shell === 'zsh' ? 'compdef() { : }\n' : ''
      const input = `${prelude}${script}\n${ask(['objectry', ...words])}\n`
      const { stdout, stderr } = spawnSync(shell, [...args, '-c', input], { encoding: 'utf8' })
      assert.equal(stderr, '')
      const typed = words.at(-1)!
      return stdout.split('\n').filter((word) => word !== '' && word.startsWith(typed))
    }

    test('commands', () => assert.deepEqual(complete('que'), ['query']))

    test('commands of a group', () => {
      assert.deepEqual(complete('org', '').sort(), [
        'create',
        'delete',
        'fork',
        'help',
        'list',
        'move',
        'reset',
      ])
    })

    test('flags of a command', () => {
      assert.deepEqual(complete('org', 'create', '--j'), ['--json'])
      assert.deepEqual(complete('query', 'SELECT', '--for'), ['--format'])
    })

    test('flags of the server without its command', () => assert.deepEqual(complete('--por'), ['--port']))

    test('values of a flag, and of an argument', () => {
      assert.deepEqual(complete('query', '--format', '').sort(), ['csv', 'json', 'table'])
      assert.deepEqual(complete('completion', 'f'), ['fish'])
    })

    test('a value is no command', () =>
      assert.deepEqual(complete('query', '--org', 'org', '--sq'), ['--sql']))
  })
}

import { describe, expect, test } from 'vitest'
import { commands } from './commands.ts'
import { commandHelp, overview } from './help.ts'
import { interpret, lookupOf } from './interpret.ts'
import { isForOperator } from './operator.ts'

const interpreted = (line: string) => interpret(line.split(' ').filter(Boolean), commands)

describe('the command line', () => {
  test.each([
    ['bases list', 'bases list', [], {}],
    ['sources add kb a.md b.md --watch', 'sources add', ['kb', 'a.md', 'b.md'], { watch: true }],
    ['search kb how much? --top 3 --json', 'search', ['kb', 'how', 'much?'], { top: '3', json: true }],
    ['search kb --threshold=0.5 -- --what', 'search', ['kb', '--what'], { threshold: '0.5' }],
    ['sources watch kb', 'sources watch', ['kb'], {}],
  ])('%s', (line, words, positionals, values) =>
    expect(interpreted(line)).toEqual({ kind: 'run', command: expect.objectContaining({ words }), positionals, values }),
  )

  test.each([
    ['contacts erase ctc_x', 'contacts find'],
    ['tokens revoke tok_x', 'tokens list'],
    ['search kb_x how', 'bases list'],
    ['events tail', undefined],
  ])('%s finds ids with %s', (line, lookup) => expect(lookupOf(line.split(' '), commands)).toBe(lookup))

  test.each(['', '--help', '-h', 'help', 'sources --help'])('%j shows the overview', (line) =>
    expect(interpreted(line)).toEqual({ kind: 'overview' }),
  )
  test('--help after a command shows its help, even if arguments are missing', () =>
    expect(interpreted('sources add --help')).toMatchObject({ kind: 'help', command: { words: 'sources add' } }))

  test.each([
    ['sorces list', 'unknown command: sorces list; did you mean "sources list"?'],
    ['soruces lsit', 'did you mean "sources list"?'],
    ['serach kb x', 'unknown command: serach; did you mean "search"?'],
    ['sources ad kb', 'unknown command: sources ad; did you mean "sources add"?'],
    ['sources', 'sources needs a subcommand; use "sources list"'],
    ['sources frobnicate', 'unknown command: sources frobnicate; use "sources list"'],
    ['frobnicate', 'unknown command: frobnicate; see groundwork --help'],
    ['--watch sources add', 'write the command before --watch'],
    ['search kb', 'QUESTION… is missing; see groundwork search --help'],
    ['bases list kb', 'unexpected argument kb'],
    ['sources add kb a --wach', 'unknown option: --wach; did you mean --watch?'],
    ['sources add kb a --name', '--name needs a value, NAME'],
    ['sources add kb a --name --watch', '--name needs a value, NAME'],
    ['sources add kb a --watch=yes', '--watch takes no value'],
  ])('%s: %s', (line, message) => expect(() => interpreted(line)).toThrow(message))
})

describe('help', () => {
  test('lists every command, including operator commands', () => {
    const text = overview(commands)
    for (const { words, takes } of commands) expect(text).toContain(`${words} ${takes}`.trim())
    expect(text).toContain('token create --organization NAME')
  })
  test.each(commands.map((command) => [command.words, command] as const))(
    'of %s lists its options and fits on a screen',
    (_words, command) => {
      const text = commandHelp(command)
      for (const name of [...Object.keys(command.options), 'url', 'token', 'json', 'help']) expect(text).toContain(`--${name}`)
    },
  )
})

test.each([
  ['token create --organization Acme --json', true],
  ['--json token create --organization Acme', true],
  ['--organization search token create', true],
  ['token --help', true],
  ['token', true],
  ['doctor --repair', true],
  ['model check /models/e5', true],
  ['storage move --to s3://bucket', true],
  ['token list', false],
  ['tokens create x', false],
  ['search kb token create', false],
  ['', false],
])('%j is an operator command: %s', (line, expected) => expect(isForOperator(line.split(' ').filter(Boolean))).toBe(expected))

import { parseArgs } from 'node:util'
import { arityOf, type AnyValues, type Command, type Options } from './command.ts'
import { UsageError } from './failure.ts'
import { suggestion } from './suggest.ts'

export type Interpretation =
  | { kind: 'overview' }
  | { kind: 'help'; command: Command }
  | { kind: 'run'; command: Command; positionals: readonly string[]; values: AnyValues }

/** Options of every command. */
export const commonOptions: Options = {
  url: { type: 'string', value: 'URL', about: 'URL of Groundwork (default: GROUNDWORK_URL, or http://127.0.0.1:4000)' },
  token: { type: 'string', value: 'TOKEN', about: 'API token (prefer GROUNDWORK_TOKEN: process lists show options)' },
  json: { type: 'boolean', about: 'print JSON, one record per line' },
  help: { type: 'boolean', short: 'h', about: 'show the help of the command' },
}

/** @throws UsageError with the error and a suggestion */
export function interpret(words: readonly string[], commands: readonly Command[]): Interpretation {
  const count = words.findIndex((word) => word.startsWith('-'))
  const leading = count === -1 ? words : words.slice(0, count)
  if (leading.length === 0) {
    if (words.length === 0 || words.includes('--help') || words.includes('-h')) return { kind: 'overview' }
    throw new UsageError(`write the command before ${words[0]}; see groundwork --help`)
  }
  if (leading[0] === 'help') return { kind: 'overview' }
  const command = commands.find((one) => one.words.split(' ').every((word, index) => leading[index] === word))
  if (command === undefined) {
    const group = commands.filter((one) => one.words.split(' ')[0] === leading[0])
    if (group.length > 0 && leading.length === 1 && words.includes('--help')) return { kind: 'overview' }
    throw new UsageError(unknownCommand(leading, commands))
  }
  const { positionals, values } = parseOptions(command, words.slice(command.words.split(' ').length))
  if (values['help'] === true) return { kind: 'help', command }
  const { min, max, names } = arityOf(command)
  const see = `see groundwork ${command.words} --help`
  if (positionals.length < min) throw new UsageError(`${names[positionals.length]} is missing; ${see}`)
  if (positionals.length > max) throw new UsageError(`unexpected argument ${positionals[max]}; ${see}`)
  return { kind: 'run', command, positionals, values }
}

/** Returns the words of the command that finds records of the same kind as the command; undefined without one. */
export function lookupOf(words: readonly string[], commands: readonly Command[]): string | undefined {
  const group = words[0] === 'search' ? 'bases' : words[0]
  return ['list', 'find'].map((verb) => `${group} ${verb}`).find((lookup) => commands.some((one) => one.words === lookup))
}

function unknownCommand(leading: readonly string[], commands: readonly Command[]): string {
  const [first = '', second] = leading
  const heads = [...new Set(commands.map((one) => one.words.split(' ')[0] ?? ''))]
  const head = heads.includes(first) ? first : suggestion(first, heads)
  const inGroup = commands.filter((one) => one.words.startsWith(`${head} `)).map((one) => one.words.split(' ')[1] ?? '')
  const typed = inGroup.length > 0 && second !== undefined ? `${first} ${second}` : first
  if (head === undefined) return `unknown command: ${first}; see groundwork --help`
  const subcommand =
    inGroup.length === 0 || second === undefined ? undefined : inGroup.includes(second) ? second : suggestion(second, inGroup)
  if (inGroup.length === 0) return `unknown command: ${typed}; did you mean "${head}"?`
  if (subcommand !== undefined) return `unknown command: ${typed}; did you mean "${head} ${subcommand}"?`
  return `${second === undefined ? `${head} needs a subcommand` : `unknown command: ${typed}`}; use ${inGroup.map((name) => `"${head} ${name}"`).join(' or ')}`
}

function parseOptions(command: Command, args: string[]): { positionals: string[]; values: AnyValues } {
  const known = { ...commonOptions, ...command.options }
  const options = Object.fromEntries(
    Object.entries(known).map(([name, { type, short }]) => [name, { type, ...(short !== undefined && { short }) }]),
  )
  const { tokens } = parseArgs({ args, options, allowPositionals: true, strict: false, tokens: true })
  const see = `see groundwork ${command.words} --help`
  const values: Record<string, string | boolean> = {}
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const option = known[token.name]
    if (option === undefined) {
      const meant = suggestion(token.name, Object.keys(known))
      throw new UsageError(`unknown option: ${token.rawName}; ${meant === undefined ? see : `did you mean --${meant}?`}`)
    }
    if (option.type === 'string' && (token.value === undefined || (!token.inlineValue && token.value.startsWith('--'))))
      throw new UsageError(`${token.rawName} needs a value${option.value === undefined ? '' : `, ${option.value}`}; ${see}`)
    if (option.type === 'boolean' && token.value !== undefined) throw new UsageError(`${token.rawName} takes no value; ${see}`)
    values[token.name] = token.value ?? true
  }
  return { positionals: tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : [])), values }
}

import type { Command, Options } from './command.ts'
import { commonOptions } from './interpret.ts'

/** Returns the text of `groundwork --help`: the commands of both kinds. */
export function overview(commands: readonly Command[]): string {
  return `Usage: groundwork COMMAND [options]

Commands that speak to a running Groundwork:
${columns(commands.map(({ words, takes, summary }) => [`${words} ${takes}`.trim(), summary]))}

For the operator, on the database itself, whether Groundwork runs or not:
${columns([
  ['token create --organization NAME', 'make an API token, and the organization with it'],
  ['doctor', 'compare sources, jobs, index and files with each other, and repair them with --repair'],
  ['secret-key replace', 'give up a lost secret key, while no program runs'],
])}

Settings:
${columns([
  ['GROUNDWORK_URL', 'where Groundwork answers (http://127.0.0.1:4000), or --url'],
  ['GROUNDWORK_TOKEN', 'the API token, or --token'],
  ['NO_COLOR', 'no colours'],
])}

Every command takes --json, for programs, and --help. BASE is the id or the name of a knowledge base.

Exit codes: 0 done; 1 refused, or something failed; 2 wrong usage; 3 Groundwork cannot be reached; 4 the token is not
accepted or not allowed to do it; 130 interrupted.
`
}

export function commandHelp({ words, takes, summary, details, options }: Command): string {
  const own = Object.keys(options).length === 0 ? '' : `\nOptions:\n${columns(optionRows(options))}\n`
  return `Usage: groundwork ${`${words} ${takes}`.trim()} [options]

${summary[0]?.toUpperCase()}${summary.slice(1)}.${details === undefined ? '' : `\n${details}`}
${own}\nEverywhere:\n${columns(optionRows(commonOptions))}
`
}

const optionRows = (options: Options): [string, string][] =>
  Object.entries(options).map(([name, { value, about }]) => [`--${name}${value === undefined ? '' : ` ${value}`}`, about])

function columns(rows: [string, string][]): string {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')
}

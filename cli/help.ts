import type { Command, Options } from './command.ts'
import { commonOptions } from './interpret.ts'

/** Returns the text of `groundwork --help`: the commands of both kinds. */
export function overview(commands: readonly Command[]): string {
  return `Usage: groundwork COMMAND [options]

Commands for the API of a running Groundwork:
${columns(commands.map(({ words, takes, summary }) => [`${words} ${takes}`.trim(), summary]))}

Operator commands for the database, whether Groundwork is running or not:
${columns([
  ['token create --organization NAME', 'create an API token, and the organization if it does not exist'],
  ['backup FILE', 'write rows and files in one consistent state to a file; backup verify FILE restores it for a test and compares'],
  ['restore FILE', 'restore a backup into an empty installation, also from the embedded database into PostgreSQL'],
  ['upgrade --check', 'show the migrations of this version with their locks; upgrade --rehearse FILE tries them on a backup'],
  ['index verify', 'compare the search engine of SEARCH_URL with the database; index rebuild stores all chunks again'],
  ['organizations list', 'list all organizations; organizations show NAME and organizations delete NAME --yes NAME'],
  ['organizations quota NAME', 'show the use of an organization; --storage, --chunks and --sources set quotas'],
  ['users list', 'list all users; users reset-password EMAIL and users disable-two-factor EMAIL'],
  ['jobs list', 'list waiting, active and failed jobs; jobs retry ID'],
  ['doctor', 'check data, secret key, webhooks, disk, clock, migrations and backups; --repair repairs damaged data'],
  ['model check DIR', 'load the embedding model or reranker in a folder and print its properties'],
  ['key rotate', 'replace the secret key, while Groundwork is running with both keys; --check counts the values that need the former one'],
  ['secret-key replace', 'replace a lost secret key, while Groundwork is stopped'],
  ['signing-key rotate', 'sign new certificates with a new key'],
])}

Settings:
${columns([
  ['GROUNDWORK_URL', 'URL of Groundwork (default: http://127.0.0.1:4000), or --url'],
  ['GROUNDWORK_TOKEN', 'the API token, or --token'],
  ['NO_COLOR', 'disables colors'],
])}

Every command accepts --json, for machine-readable output, and --help. BASE is the id or the name of a knowledge base.

Exit codes: 0 success; 1 refused or failed; 2 invalid usage; 3 Groundwork cannot be reached; 4 the token is invalid or
lacks a permission; 130 interrupted.
`
}

export function commandHelp({ words, takes, summary, details, options }: Command): string {
  const own = Object.keys(options).length === 0 ? '' : `\nOptions:\n${columns(optionRows(options))}\n`
  return `Usage: groundwork ${`${words} ${takes}`.trim()} [options]

${summary[0]?.toUpperCase()}${summary.slice(1)}.${details === undefined ? '' : `\n${details}`}
${own}\nCommon options:\n${columns(optionRows(commonOptions))}
`
}

const optionRows = (options: Options): [string, string][] =>
  Object.entries(options).map(([name, { short, value, about }]) => [
    `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`,
    about,
  ])

function columns(rows: [string, string][]): string {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')
}

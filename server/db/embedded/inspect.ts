/**
 * Effects of a statement on the session that all virtual connections share. They are recognized by tokens at the head of each
 * statement, so that words inside literals, quoted names and comments mean nothing.
 */
export interface Inspection {
  /** The text to run instead. */
  sql: string
  listen: readonly string[]
  /** Channels to leave; `*` is all of them. */
  unlisten: readonly string[]
  /** May change settings beyond the transaction. */
  session: boolean
  /** Custom settings (`app.x`) it names: the server does not list these. */
  custom: readonly string[]
  /** What `SET LOCAL statement_timeout` asks for, as it is written. */
  localTimeout: string | null
  /** A single COPY … FROM STDIN: its data follows in messages of its own. */
  copiesIn: boolean
  /** Why it cannot run here. */
  refusal: { code: string; message: string } | null
}

/** Leaving a channel must not deafen the other connections: the engine leaves this one, which nobody joins. */
const NOBODY = '"groundwork:nobody"'

const INTERESTING =
  /\b(?:copy|listen|unlisten|set|reset|discard|deallocate|set_config|pg_(?:try_)?advisory_(?:un)?lock(?:_all|_shared)?)\b/i
const TOKEN =
  /\s+|--[^\n]*|\/\*[\s\S]*?\*\/|[eE]'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$([A-Za-z_]\w*)?\$[\s\S]*?\$\1\$|[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*|[\s\S]/gu
const SESSION_LOCK = /^pg_(?:try_)?advisory_(?:un)?lock(?:_all|_shared)?$/

interface Token {
  text: string
  at: number
}

const harmless = (sql: string): Inspection => ({
  sql,
  listen: [],
  unlisten: [],
  session: false,
  custom: [],
  localTimeout: null,
  copiesIn: false,
  refusal: null,
})

export function inspect(sql: string): Inspection {
  if (!INTERESTING.test(sql)) return harmless(sql)
  const found = {
    listen: [] as string[],
    unlisten: [] as string[],
    custom: [] as string[],
    session: false,
    localTimeout: null as string | null,
    copiesIn: false,
    refusal: null as Inspection['refusal'],
  }
  let rewritten = sql
  const all = statements(sql)
  for (const statement of all.toReversed()) {
    const words = statement.map((token) => token.text.toLowerCase())
    const [first, second] = statement.slice(1)
    found.refusal = refusalOf(words) ?? found.refusal
    if (words[0] === 'copy' && words.includes('stdin')) {
      if (all.length === 1) found.copiesIn = true
      else found.refusal = unsupported('COPY FROM STDIN must be the only statement of its message')
    }
    if (words[0] === 'listen' && first !== undefined) found.listen.push(channelName(first.text))
    if (words[0] === 'unlisten' && first !== undefined) {
      found.unlisten.push(first.text === '*' ? '*' : channelName(first.text))
      rewritten = rewritten.slice(0, first.at) + NOBODY + rewritten.slice(first.at + first.text.length)
    }
    if (words[0] === 'reset' || (words[0] === 'set' && !['local', 'transaction', 'constraints'].includes(words[1] ?? ''))) {
      found.session = true
      const name = words[1] === 'session' ? second : first
      found.custom.push(...customName(sql, name))
    }
    if (words[0] === 'set' && words[1] === 'local' && words[2] === 'statement_timeout')
      found.localTimeout = words.slice(4).join('').replaceAll("'", '')
    found.custom.push(...setConfigNames(statement))
    if (setsBeyondTransaction(words)) found.session = true
  }
  return { ...found, sql: rewritten }
}

/** The significant tokens of each statement. */
function statements(sql: string): Token[][] {
  const all: Token[][] = []
  let current: Token[] = []
  for (const match of sql.matchAll(TOKEN)) {
    const text = match[0]
    if (/^\s/.test(text) || text.startsWith('--') || text.startsWith('/*')) continue
    if (text !== ';') current.push({ text, at: match.index })
    else if (current.length > 0) {
      all.push(current)
      current = []
    }
  }
  if (current.length > 0) all.push(current)
  return all
}

function refusalOf(words: string[]): Inspection['refusal'] {
  if (words[0] === 'discard' || (words[0] === 'deallocate' && (words[1] === 'all' || words[2] === 'all')))
    return unsupported(`${words[0].toUpperCase()} would reach other connections of the embedded database`)
  const lock = words.findIndex((word, at) => SESSION_LOCK.test(word) && words[at + 1] === '(')
  if (lock >= 0) return unsupported(`${words[lock]}: connections of the embedded database share one session; use pg_advisory_xact_lock`)
  return null
}

function unsupported(message: string): { code: string; message: string } {
  return { code: '0A000', message }
}

/** As the server reads it: unquoted names fold to lower case, all are cut at 63 bytes. */
function channelName(token: string): string {
  const name = token.startsWith('"') ? token.slice(1, -1).replaceAll('""', '"') : token.toLowerCase()
  return Buffer.from(name).subarray(0, 63).toString()
}

function customName(sql: string, token: Token | undefined): string[] {
  const name = token && /^[a-z_]\w*\.[\w.]+/i.exec(sql.slice(token.at, token.at + 200))?.[0]
  return name ? [name] : []
}

function setConfigNames(statement: Token[]): string[] {
  return statement.flatMap((token, at) => {
    const name = /^'([A-Za-z_]\w*\.[\w.]+)'$/.exec(statement[at + 2]?.text ?? '')?.[1]
    return token.text.toLowerCase() === 'set_config' && name !== undefined ? [name] : []
  })
}

/** A `set_config` whose last argument is not the literal `true`. */
function setsBeyondTransaction(words: string[]): boolean {
  return words.some((word, at) => {
    if (word !== 'set_config' || words[at + 1] !== '(') return false
    let depth = 0
    for (let end = at + 1; end < words.length; end++) {
      if (words[end] === '(') depth++
      if (words[end] === ')' && --depth === 0) return words[end - 1] !== 'true'
    }
    return true
  })
}

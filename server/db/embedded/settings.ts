import { quoteLiteral, stringAt } from './protocol.ts'

/** Settings that hold for one connection beyond its transactions, by name. */
export type Settings = ReadonlyMap<string, string>

const NOT_SETTINGS = new Set([
  'user',
  'database',
  'replication',
  'options',
  'client_encoding',
  'application_name',
  'fallback_application_name',
])

/** Settings a client asks for when it connects: its own fields, and `options=-c name=value`. */
export function startupSettings(packet: Buffer): Settings {
  const settings = new Map<string, string>()
  for (let at = 8; at < packet.length && packet[at] !== 0;) {
    const name = stringAt(packet, at)
    const value = stringAt(packet, name.next)
    at = value.next
    if (name.text === 'options') for (const [key, text] of commandLineOptions(value.text)) settings.set(key, text)
    else if (!NOT_SETTINGS.has(name.text) && !name.text.startsWith('_pq_.')) settings.set(name.text.toLowerCase(), value.text)
  }
  return settings
}

function commandLineOptions(text: string): [string, string][] {
  const words = (text.match(/(?:\\[\s\S]|\S)+/g) ?? []).map((word) => word.replace(/\\([\s\S])/g, '$1'))
  const pairs = words.flatMap((word, at) => {
    if (word === '-c') return words[at + 1] ?? []
    if (word.startsWith('--')) return word.slice(2).replaceAll(/-(?=[^=]*=)/g, '_')
    return word.startsWith('-c') ? word.slice(2) : []
  })
  return pairs.flatMap((pair) => {
    const [, name, value] = /^([^=]+)=([\s\S]*)$/.exec(pair) ?? []
    return name === undefined || value === undefined ? [] : [[name.toLowerCase(), value]]
  })
}

/** Equal for equal settings. */
export function settingsKey(settings: Settings): string {
  return settings.size === 0 ? '' : JSON.stringify([...settings].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** Returns SQL that replaces all settings of the session by these. The role comes last: it may lack the right to set the others. */
export function applySql(settings: Settings): string {
  const ordered = [...settings].toSorted(([a], [b]) => Number(a === 'role') - Number(b === 'role'))
  const values = ordered.map(([name, value]) => `SELECT set_config(${quoteLiteral(name)}, ${quoteLiteral(value)}, false)`)
  return ['RESET SESSION AUTHORIZATION', 'RESET ROLE', 'RESET ALL', ...values].join(';')
}

/** Reads what `applySql` needs; the server lists neither the role nor custom settings. */
export function captureSql(custom: Iterable<string>): string {
  const named = [...custom].map(
    (name) => `UNION ALL SELECT ${quoteLiteral(name)}, nullif(current_setting(${quoteLiteral(name)}, true), '')`,
  )
  return [
    "SELECT name, setting FROM pg_catalog.pg_settings WHERE source = 'session'",
    "UNION ALL SELECT 'role', nullif(current_setting('role'), 'none')",
    ...named,
  ].join(' ')
}

export function capturedSettings(rows: (string | null)[][]): Settings {
  return new Map(
    rows.flatMap(([name, value]) => (name !== null && name !== undefined && typeof value === 'string' ? [[name, value] as const] : [])),
  )
}

const UNITS: Record<string, number> = { '': 1, ms: 1, s: 1000, min: 60_000, h: 3_600_000, d: 86_400_000, us: 0.001 }

/** `statement_timeout` in milliseconds; undefined where it is absent or unreadable, Infinity for 0 (no limit). */
export function timeoutMs(text: string): number | undefined {
  const [, amount, unit] = /^\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*$/i.exec(text) ?? []
  const scale = UNITS[unit ?? '']
  if (amount === undefined || scale === undefined) return undefined
  return Number(amount) * scale || Infinity
}

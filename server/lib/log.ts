import { pino, type Logger } from 'pino'

/** The parts of `process.stdout` that the log needs. */
export interface LogOutput {
  readonly isTTY?: boolean
  write(text: string): unknown
  /** Returns false if NO_COLOR is set. */
  hasColors?(): boolean
}

/** Returns the log of the program: short lines for people on a terminal, and JSON for programs otherwise. */
export function createLog(level: string, output: LogOutput = process.stdout): Logger {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime }
  if (output.isTTY !== true) return pino(options)
  const hasColors = output.hasColors?.() ?? false
  return pino(options, { write: (line) => void output.write(terminalLine(line, hasColors)) })
}

const levels: Readonly<Record<number, { readonly name: string; readonly color: number }>> = {
  10: { name: 'TRACE', color: 90 },
  20: { name: 'DEBUG', color: 90 },
  30: { name: 'INFO', color: 32 },
  40: { name: 'WARN', color: 33 },
  50: { name: 'ERROR', color: 31 },
  60: { name: 'FATAL', color: 31 },
}

/** Returns a line of pino's JSON as `09:30:00 INFO message key=value`, with the stack of an error below. */
export function terminalLine(json: string, hasColors: boolean): string {
  const { level, time, msg = '', err, ...fields } = JSON.parse(json) as Line
  const { name, color } = levels[level] ?? { name: String(level), color: 0 }
  const paint = (text: string, code: number): string => (hasColors ? `\u001B[${code}m${text}\u001B[0m` : text)
  const pairs = Object.entries(fields).map(([key, value]) => paint(` ${key}=`, 90) + printable(shown(value)))
  const reason = err === undefined ? '' : `\n${printable(err.stack ?? err.message ?? JSON.stringify(err))}`
  return `${paint(time.slice(11, 19), 90)} ${paint(name.padEnd(5), color)} ${printable(msg)}${pairs.join('')}${reason}\n`
}

interface Line {
  readonly level: number
  readonly time: string
  readonly msg?: string
  readonly err?: { readonly message?: string; readonly stack?: string }
}

const shown = (value: unknown): string => (typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value))

/** Replaces control characters except line breaks: a terminal would obey those in a name or an error. */
const printable = (text: string): string => text.replaceAll(/[^\P{Cc}\n]/gu, '\uFFFD')

import { once } from 'node:events'
import type { WriteStream } from 'node:tty'
import { createBoard, type Board } from './board.ts'
import { failureRecord } from './failure.ts'

/** The output of a command: records and text to stdout, notes and errors to stderr. */
export interface Output {
  readonly json: boolean
  readonly paint: Paint
  /** Writes text unchanged and waits for the reader. */
  text: (text: string) => Promise<void>
  /** Writes a record as JSON with `--json`, otherwise as a line. */
  record: (record: object, line: string) => Promise<void>
  /** Writes records as a table, or as JSON with `--json`. */
  table: (records: readonly object[], heading: string[], rows: readonly string[][]) => Promise<void>
  /** Writes a note for people; nothing with `--json`. */
  note: (line: string) => void
  failure: (line: string, error: unknown) => void
  /** Returns a board of progress lines. */
  board: () => Board
  /** Restores the terminal. */
  close: () => void
}

type Paint = Record<'bold' | 'dim' | 'red' | 'green', (text: string) => string>
interface Streams {
  stdout: WriteStream
  stderr: WriteStream
  env: Readonly<Record<string, string | undefined>>
  json: boolean
}

export function createOutput({ stdout, stderr, env, json }: Streams): Output {
  const isTerminal = stdout.isTTY && env['TERM'] !== 'dumb'
  const paint = painter(isTerminal && !env['NO_COLOR'])
  // A reader such as head may close the pipe early, which is not an error.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit()
  })
  const text = async (written: string): Promise<void> => {
    if (!stdout.write(written)) await once(stdout, 'drain')
  }
  const boards: Board[] = []
  return {
    json,
    paint,
    text,
    record: (record, line) => text(json ? `${JSON.stringify(record)}\n` : `${line}\n`),
    table: (records, heading, rows) =>
      text(json ? records.map((record) => `${JSON.stringify(record)}\n`).join('') : aligned(heading, rows, paint)),
    note: (line) => void (json || stderr.write(`${line}\n`)),
    failure: (line, error) =>
      void stderr.write(
        json
          ? `${JSON.stringify(failureRecord(error))}\n`
          : `${painter(stderr.isTTY && !env['NO_COLOR']).red('error:')} ${printable(line)}\n`,
      ),
    board() {
      const board = createBoard(json ? undefined : stdout, isTerminal)
      boards.push(board)
      return board
    },
    close: () => boards.forEach((board) => board.close()),
  }
}

/** Returns untrusted text as one line without control characters. */
export const printable = (text: string): string => text.replaceAll(/\p{Cc}+/gu, ' ')

function aligned(heading: string[], rows: readonly string[][], paint: Paint): string {
  const all = [heading, ...rows.map((row) => row.map(printable))]
  const widths = heading.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  const lines = all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return lines.map((line, index) => `${index === 0 ? paint.dim(line) : line}\n`).join('')
}

function painter(colors: boolean | undefined): Paint {
  const code = (on: number, off: number) => (text: string) => (colors ? `\x1b[${on}m${text}\x1b[${off}m` : text)
  return { bold: code(1, 22), dim: code(2, 22), red: code(31, 39), green: code(32, 39) }
}

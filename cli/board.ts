import type { WriteStream } from 'node:tty'

/** Progress of concurrent tasks: on a terminal each has a line that changes, elsewhere each new stage is a new line. */
export interface Board {
  update: (thing: object, name: string, stage: string, detail: string) => void
  /** Writes the final line of a task. */
  settle: (thing: object, line: string) => void
  close: () => void
}

/** @param stream undefined for no output */
export function createBoard(stream: WriteStream | undefined, isTerminal: boolean): Board {
  const lines = new Map<object, { stage: string; text: string }>()
  let drawn = 0

  const erase = (): string => (drawn === 0 ? '' : `\x1b[${drawn}A\x1b[0J`)
  const draw = (above = ''): void => {
    if (stream === undefined || !isTerminal) return
    // Lines that scroll out or wrap could not be overwritten. A terminal of unknown size reports 0.
    const [height, width] = [stream.rows || 24, stream.columns || 80]
    const shown = [...lines.values()].slice(0, Math.max(1, height - 2)).map(({ text }) => cut(text, width - 1))
    stream.write(`${erase()}${above}${shown.map((line) => `${line}\n`).join('')}`)
    drawn = shown.length
  }

  return {
    update(thing, name, stage, detail) {
      const text = `${name}  ${stage}${detail === '' ? '' : `  ${detail}`}`
      const news = lines.get(thing)?.stage !== stage
      lines.set(thing, { stage, text })
      if (isTerminal) draw()
      else if (news) stream?.write(`${text}\n`)
    },
    settle(thing, line) {
      lines.delete(thing)
      if (isTerminal) draw(`${line}\n`)
      else stream?.write(`${line}\n`)
    },
    close() {
      if (isTerminal && drawn > 0) stream?.write(erase())
      drawn = 0
      lines.clear()
    },
  }
}

const cut = (text: string, width: number): string => (text.length > width ? `${text.slice(0, Math.max(0, width - 1))}…` : text)

const barWidth = 20

/** Returns `█████░░░░░ 12/40 chunks`; empty while the total is unknown. */
export function progressBar(done: number, total: number, unit: string): string {
  if (total <= 0) return ''
  const filled = Math.round(Math.min(1, done / total) * barWidth)
  return `${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)} ${done}/${total} ${unit}`.trimEnd()
}

/** Returns `, 40 s left`, `, 12 min left` or `, 3 h left`; empty while it is unknown. */
export function timeLeft(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined) return ''
  if (seconds < 90) return `, ${seconds} s left`
  return seconds < 90 * 60 ? `, ${Math.round(seconds / 60)} min left` : `, ${Math.round(seconds / 3600)} h left`
}

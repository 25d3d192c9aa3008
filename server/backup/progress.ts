/** Receives the progress of a backup or a restore. */
export interface Progress {
  files(count: number, bytes: number): void
  table(name: string, rows: number): void
}

export const noProgress: Progress = { files: () => undefined, table: () => undefined }

const intervalMs = 1000

/** Writes a line per second at most. */
export function progressLines(write: (line: string) => void): Progress {
  let writtenAt = 0
  const line = (text: string): void => {
    const now = performance.now()
    if (now - writtenAt < intervalMs) return
    writtenAt = now
    write(`${text}\n`)
  }
  return {
    files: (count, bytes) => line(`files: ${count}, ${(bytes / 1e6).toFixed(0)} MB`),
    table: (name, rows) => line(`${name}: ${rows} rows`),
  }
}

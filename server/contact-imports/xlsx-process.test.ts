import { randomBytes } from 'node:crypto'
import { zipSync } from 'fflate'
import { expect, it } from 'vitest'
import { xlsxRowsInProcess } from './xlsx-process.ts'

const sheet = (rows: string): Buffer => Buffer.from(`<worksheet><sheetData>${rows}</sheetData></worksheet>`)

async function rowsOf(parts: Record<string, Uint8Array>): Promise<string[][]> {
  const archive = Buffer.from(zipSync(parts, { level: 1 }))
  const rows: string[][] = []
  for await (const group of xlsxRowsInProcess(async () => pieces(archive))) rows.push(...group.map(({ cells }) => [...cells]))
  return rows
}

async function* pieces(archive: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < archive.length; at += 65_536) yield archive.subarray(at, at + 65_536)
}

/** Returns the longest time for which the event loop stood still during the work, and the time of the work. */
async function stalled(work: () => Promise<void>): Promise<{ longestMs: number; allMs: number }> {
  const start = performance.now()
  let last = start
  let longestMs = 0
  let isDone = false
  const tick = (): void => {
    const now = performance.now()
    longestMs = Math.max(longestMs, now - last)
    last = now
    if (!isDone) setTimeout(tick, 5)
  }
  setTimeout(tick, 5)
  await work()
  isDone = true
  tick()
  return { longestMs, allMs: performance.now() - start }
}

it('refuses a workbook with huge styles, and the event loop keeps turning meanwhile', async () => {
  // It unpacks to less than the 200 times its size that a workbook may have.
  const font = (): string => `<font>${randomBytes(10_000).toString('hex')}${'x'.repeat(1_000_000)}</font>`
  const styles = Buffer.from(`<styleSheet>${Array.from({ length: 51 }, font).join('')}</styleSheet>`)
  const archive = Buffer.from(zipSync({ 'xl/styles.xml': styles, 'xl/worksheets/sheet1.xml': sheet('') }, { level: 1 }))
  const { longestMs, allMs } = await stalled(async () => {
    const rows = xlsxRowsInProcess(async () => pieces(archive))
    await expect(rows.next()).rejects.toThrow('The part xl/styles.xml of the workbook unpacks to more than 50 MB.')
  })
  expect(longestMs).toBeLessThan(allMs / 4)
})

it('takes many rows in order, as they are wanted', async () => {
  const count = 20_000
  const text = Array.from({ length: count }, (_, at) => `<row><c><v>${at}</v></c></row>`).join('')
  const rows = await rowsOf({ 'xl/worksheets/sheet1.xml': sheet(text) })
  expect(rows).toEqual(Array.from({ length: count }, (_, at) => [String(at)]))
})

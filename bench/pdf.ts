import { childEntry } from '@groundwork/server/lib/entry'
import { startLimitedProcess } from '@groundwork/server/lib/limited-process'
import { createPdfRenderer } from '@groundwork/server/pdf/renderer'
import { installed } from './peers/install.ts'
import type { PdfmakeReply } from './peers/pdfmake.ts'
import { offer } from './pdf-offer.ts'
import { percentile, printTable, withEnds } from './run.ts'

const documents = Number(process.argv[2] ?? 10)
const rounds = 4
/** The first documents of a process load code and fonts, and are compiled to slower code. */
const warmUp = 10
const timeoutMs = 120_000
const pdfmakeVersion = '0.3.11'

interface Measured {
  readonly name: string
  readonly render: (number: number) => Promise<PdfmakeReply>
  readonly times: number[]
  sizeBytes: number
  memoryMb: number
  /** Processor time of the process at the start and at the end of the measurement. */
  cpuSeconds: [number, number]
}

await withEnds(async (atEnd) => {
  const renderer = createPdfRenderer()
  atEnd(() => renderer.close())
  // The same kind of process, with the same priority and the same messages, and with more memory.
  const entry = [...childEntry(import.meta.url, './peers/pdfmake'), await installed('pdfmake', pdfmakeVersion)]
  const pdfmake = startLimitedProcess<{ number: number }, PdfmakeReply>(entry, { memoryMb: 2_000, cpuSeconds: 3_600 })
  atEnd(async () => pdfmake.kill())
  const system = (name: string, render: Measured['render']): Measured => ({
    name,
    render,
    times: [],
    sizeBytes: 0,
    memoryMb: 0,
    cpuSeconds: [0, 0],
  })
  const own = system('Groundwork', (number) => renderer.render({ document: offer(number) }))
  const peer = system(`pdfmake ${pdfmakeVersion}`, (number) => pdfmake.exchange({ number }, timeoutMs))
  let number = 0
  for (const measured of [own, peer]) {
    for (let at = 0; at < warmUp; at++) {
      const { cpuSeconds } = await measured.render(++number)
      measured.cpuSeconds = [cpuSeconds, cpuSeconds]
    }
  }
  // In turn, so that other work on the machine slows both. Several in a row, so that work after a reply counts too.
  for (let round = 0; round < rounds; round++) {
    for (const measured of round % 2 === 0 ? [own, peer] : [peer, own]) {
      for (let at = 0; at < documents; at++) {
        const started = performance.now()
        const { bytes, memoryMb, cpuSeconds } = await measured.render(++number)
        measured.times.push(performance.now() - started)
        measured.sizeBytes = bytes.length
        measured.memoryMb = Math.max(measured.memoryMb, memoryMb)
        measured.cpuSeconds[1] = cpuSeconds
      }
    }
  }
  const meanMs = ({ times }: Measured): number => times.reduce((sum, time) => sum + time, 0) / times.length
  const processorMs = ({ cpuSeconds: [before, after] }: Measured): number => ((after - before) * 1000) / (rounds * documents)
  printTable(
    `PDFs of two pages in eight scripts, ${rounds * documents} each, one at a time`,
    ['system', 'PDFs per second', 'median ms', 'p95 ms', 'kB', 'MB', 'ratio', 'processor ms', 'ratio by processor'],
    [own, peer].map((measured) => [
      measured.name,
      (1000 / meanMs(measured)).toFixed(2),
      percentile(measured.times, 0.5).toFixed(0),
      percentile(measured.times, 0.95).toFixed(0),
      (measured.sizeBytes / 1000).toFixed(0),
      String(measured.memoryMb),
      (meanMs(peer) / meanMs(measured)).toFixed(2),
      processorMs(measured).toFixed(0),
      (processorMs(peer) / processorMs(measured)).toFixed(2),
    ]),
  )
})

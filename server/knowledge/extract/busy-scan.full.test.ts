import { spawn } from 'node:child_process'
import { expect, it, onTestFinished } from 'vitest'
import { makePdf } from '../../testing/make-pdf.ts'
import { scannedPage } from '../../testing/scanned-page.ts'
import { createExtractor } from './extractor.ts'

/** Starts processes that each keep one core busy until the test ends. */
function startBusyProcesses(count: number): void {
  const children = Array.from({ length: count }, () => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }))
  onTestFinished(() => {
    for (const child of children) child.kill('SIGKILL')
  })
}

it('a scanned document has the same pages and text beside eight busy processes', async () => {
  const sentence = 'The driver signs for the keys and the ramp before the trailer leaves the yard'
  const lines = Array.from({ length: 3 }, (_, at) => `${sentence} ${at}`)
  const pages = await Promise.all(['Hire', 'Return'].map((title) => scannedPage([title, ...lines])))
  const bytes = makePdf(pages)
  // Enough processor time for a page, and less than a page takes beside the busy processes.
  const extractor = createExtractor({ workers: 1, timeoutMs: 6_000 })
  onTestFinished(() => extractor.close())
  const idle = await extractor.extract({ bytes, fileName: 'scan.pdf' })
  expect(idle.warnings).toEqual(['2 of 2 pages are pictures and were read by OCR.'])
  expect(new Set(idle.blocks.map(({ page }) => page))).toEqual(new Set([1, 2]))
  startBusyProcesses(8)
  expect(await extractor.extract({ bytes, fileName: 'scan.pdf' })).toEqual(idle)
}, 1_200_000)

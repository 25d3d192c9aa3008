import type { ReadableSpan } from '@opentelemetry/sdk-trace-base'
import { expect, it } from 'vitest'
import { reportingExporter } from './reporting-exporter.ts'

it('spans that cannot be sent are logged once a minute, with their number', () => {
  const lines: object[] = []
  let [now, code] = [0, 1]
  const failing = {
    export: (_: ReadableSpan[], done: (result: { code: number; error?: Error }) => void) => done({ code, error: new Error('refused') }),
    shutdown: async () => undefined,
  }
  const exporter = reportingExporter(failing, { warn: (line: object) => void lines.push(line) } as never, () => now)
  const results: number[] = []
  const send = (spans: number): void =>
    exporter.export(
      Array.from({ length: spans }, () => ({}) as ReadableSpan),
      (result) => results.push(result.code),
    )
  send(3)
  send(4)
  now = 59_999
  send(5)
  now = 60_000
  send(6)
  code = 0
  now = 200_000
  send(7)
  expect(lines).toEqual([
    { reason: 'refused', spans: 3 },
    { reason: 'refused', spans: 15 },
  ])
  expect(results).toEqual([1, 1, 1, 1, 0])
})

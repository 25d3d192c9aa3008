import { expect, test } from 'vitest'
import { csvRows, firstRows } from './csv-rows.ts'

test('parses quoted cells, and leaves out an unfinished row', () => {
  expect(csvRows('a,"b ""x"", y\r\nz",\r\n,\r\n"unfinished, row\r\n1,2')).toEqual([
    ['a', 'b "x", y\r\nz', ''],
    ['', ''],
  ])
})

test('parses semicolons', () => expect(csvRows('a,b;"c;d"\r\n', ';')).toEqual([['a,b', 'c;d']]))

test('reads no more than the first rows', async () => {
  let sent = 0
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 1
      if (sent > 1_000) controller.close()
      else controller.enqueue(new TextEncoder().encode(`${sent},"é"\r\n`))
    },
  })
  expect(await firstRows(new Response(body), 2)).toEqual([
    ['1', 'é'],
    ['2', 'é'],
  ])
  expect(sent).toBeLessThan(100)
  expect(await firstRows(new Response('a,b\r\n'), 5)).toEqual([['a', 'b']])
})

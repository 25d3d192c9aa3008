import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { freePort, program, root } from './program.ts'

test('the tour of the README, copied into a shell, does the main job', async () => {
  const readme = await readFile(join(root, 'README.md'), 'utf8')
  const tour = /<!-- tour -->\s*```sh\n([\s\S]*?)```/.exec(readme)?.[1]
  if (tour === undefined) throw new Error('the README has no tour')
  const pagesPort = await freePort()
  const groundwork = await program(onTestFinished, { FETCH_ALLOW_HOSTS: `127.0.0.1:${pagesPort}` })
  await groundwork.start()

  const script = `set -euo pipefail\n${tour.replaceAll('4010', String(pagesPort))}`
  const { stdout } = await promisify(execFile)('bash', ['-c', script], {
    cwd: root,
    env: { ...groundwork.env, API: groundwork.url },
    timeout: 100_000,
  })
  const answers = jsonObjects(stdout)
  expect(answers[0]).toMatchObject({ status: 'voided', voidReason: 'The dates have changed', totalAmount: '1260.00' })
  const [, sources, deposit, sunday, afterDelete, gone] = answers
  expect(sources.data.map(({ status, type }: { status: string; type: string }) => [type, status])).toEqual([
    ['url', 'completed'],
    ['file', 'completed'],
  ])
  expect(deposit.data[0]).toMatchObject({ sourceName: 'Handbook', citation: { page: 2 } })
  expect(deposit.data[0].text).toContain('£350')
  expect(sunday.data[0]).toMatchObject({ sourceName: 'Opening hours' })
  expect(stdout).toContain('204')
  expect(afterDelete.data.filter((hit: { sourceName: string }) => hit.sourceName === 'Handbook')).toEqual([])
  expect(gone).toMatchObject({ error: { code: 'not_found' } })
  expect(await groundwork.stop()).toBe(0)
})

/** The answers in what the shell printed: one JSON object after another, other lines between them. */
// oxlint-disable-next-line typescript/no-explicit-any -- a test looks into whatever came back
function jsonObjects(printed: string): any[] {
  const objects: unknown[] = []
  for (let at = printed.indexOf('{"'); at !== -1; at = printed.indexOf('{"', at)) {
    let end = printed.indexOf('}', at) + 1
    while (end > 0 && !parses(printed.slice(at, end))) end = printed.indexOf('}', end) + 1
    if (end <= 0) throw new Error(`unfinished JSON: ${printed.slice(at)}`)
    objects.push(JSON.parse(printed.slice(at, end)))
    at = end
  }
  return objects
}

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'

export interface TourOptions {
  /** The clone in which a shell runs the tour. */
  readonly folder: string
  readonly url: string
  readonly env: Record<string, string>
  /** Port of the example pages, instead of 4010. The program is allowed to fetch from it. */
  readonly pagesPort: number
}

/** Runs the tour of the README in a shell and checks its output. */
export async function takeTour({ folder, url, env, pagesPort }: TourOptions): Promise<void> {
  const readme = await readFile(join(folder, 'README.md'), 'utf8')
  const tour = /<!-- tour -->\s*```sh\n([\s\S]*?)```/.exec(readme)?.[1]
  if (tour === undefined) throw new Error('the README has no tour')
  const script = `set -euo pipefail\n${tour.replaceAll('4010', String(pagesPort))}`
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: folder, env: { ...env, API: url }, timeout: 300_000 })
  const answers = jsonObjects(stdout)
  const [mails, completed, voided, sources, deposit, sunday, afterDelete, gone] = answers
  expect(mails.data).toMatchObject([{ kind: 'sent', to: 'desk@example.com', text: expect.stringMatching(/\/p\/[\w-]{67}/) }])
  expect(completed).toMatchObject({ status: 'completed', totalAmount: '1260.00', recipients: [{ status: 'signed' }] })
  expect(stdout).toMatch(/ok {4}seal .*ok {4}pdf /s)
  expect(voided).toMatchObject({ status: 'voided', voidReason: 'The dates have changed', totalAmount: '420.00' })
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
}

/** Returns the JSON objects in the output of the shell, which may have other lines between them. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests inspect results of any shape
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

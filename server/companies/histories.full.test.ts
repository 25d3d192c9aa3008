import { expect, it } from 'vitest'
import { testApp, type Caller } from '../testing/app.ts'
import { randomOf } from '../testing/random.ts'

const { organization } = await testApp()
const histories = 200

interface Body {
  id: string
  tags: string[]
  domains: string[]
  createdAt: string
  updatedAt: string
}

/** A company of a history, and one with the same edits that is never merged. */
interface Subject {
  readonly id: string
  readonly twin: string
}

/** Runs random edits, merges and unmerges of three companies, and undoes all merges in the end. Returns them, each with its twin. */
async function runHistory({ call }: Caller, seed: number): Promise<[Body, Body][]> {
  const { of: one, chance } = randomOf(seed)
  let count = 0
  const fresh = (): string => `${seed}-${(count += 1)}`
  const ask = async (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) => {
    const answer = await call(method, path, body)
    expect([method, path, seed, answer.status, answer.body.error]).toEqual([method, path, seed, expect.any(Number), undefined])
    return answer.body
  }
  const get = (id: string): Promise<Body> => ask('GET', `/v1/companies/${id}`)
  const change = async ({ id, twin }: Subject): Promise<void> => {
    const [field, value] = [one(['name', 'vatId', 'tags', 'address'] as const), fresh()]
    for (const each of [id, twin]) {
      const to = {
        name: value,
        vatId: `DE10${value.replace('-', '0')}00`,
        tags: [...(await get(each)).tags, value],
        address: { city: value },
      }
      await ask('PATCH', `/v1/companies/${each}`, { [field]: to[field] })
    }
  }

  const subjects: Subject[] = []
  for (const name of ['a', 'b', 'c']) {
    const body = {
      name: `${name}${seed}`,
      tags: [`of ${name}`, ...(chance(0.5) ? ['common'] : [])],
      ...(chance(0.5) && { vatId: 'DE123456789' }),
    }
    const [company, twin] = [
      await ask('POST', '/v1/companies', { ...body, domains: [`${name}${seed}.example`], externalId: `${name}${seed}` }),
      await ask('POST', '/v1/companies', body),
    ]
    subjects.push({ id: company.id, twin: twin.id })
  }
  const originals = await Promise.all(subjects.map(({ id }) => get(id)))
  /** The merges that can be undone: the merged company, its former body, and the company in which it is. */
  const merges: { merged: Subject; before: Body; into: Subject }[] = []
  const live = (): Subject[] => subjects.filter((subject) => !merges.some(({ merged }) => merged === subject))
  const undoable = () => merges.filter(({ into }) => live().includes(into))
  const undo = async (entry: (typeof merges)[number]): Promise<void> => {
    merges.splice(merges.indexOf(entry), 1)
    const { restored } = await ask('POST', `/v1/companies/${entry.into.id}/unmerge`, { mergedId: entry.merged.id })
    expect([seed, restored]).toEqual([seed, entry.before])
  }
  for (let step = 0; step < 8; step += 1) {
    const into = one(live())
    const others = live().filter((subject) => subject !== into)
    if (others.length > 0 && chance(0.5)) {
      const merged = one(others)
      const before = await get(merged.id)
      const fields = chance(0.5) ? { [one(['name', 'vatId', 'externalId', 'address'])]: one([into, merged]).id } : {}
      await ask('POST', `/v1/companies/${into.id}/merge`, { otherIds: [merged.id], fields })
      merges.push({ merged, before, into })
    } else if (undoable().length > 0 && chance(0.4)) await undo(one(undoable()))
    else await change(one(live()))
  }
  while (merges.length > 0) await undo(one(undoable()))
  const found: [Body, Body][] = []
  for (const [at, { id, twin }] of subjects.entries()) {
    const company = await get(id)
    const { externalId, domains, createdAt } = originals[at] as Body & { externalId: string }
    found.push([company, { ...(await get(twin)), id, externalId, domains, createdAt, updatedAt: company.updatedAt } as Body])
  }
  return found
}

it(`${histories} random histories leave each company with its own values and edits`, { timeout: 900_000 }, async () => {
  const caller = await organization()
  for (let seed = 1; seed <= histories; seed += 1) {
    for (const [company, expected] of await runHistory(caller, seed)) expect([seed, company]).toEqual([seed, expected])
  }
})

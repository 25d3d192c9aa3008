import type { Duplex } from 'node:stream'
import { expect, it } from 'vitest'
import { newId } from '../lib/ids.ts'
import { testApp, type Caller } from './app.ts'
import { alterMessages, binds, parses, replaced } from './faults.ts'
import { random, type Random } from './fuzz/random.ts'

const callers = 20
/** Connections that the service holds for good: it listens for notifications on one. */
const listening = 1
/** Fraction of connections whose preparation fails. */
const refused = 0.25
/** Range of scoped statements after which the server loses a connection's prepared statements. */
const lifetime = [5, 80] as const

/**
 * Tests the service while its database connections fail at random: a quarter cannot be prepared, and the others lose their
 * prepared statements after a while. Every request of two organizations must be answered with its own organization's rows;
 * nothing may be lost or duplicated, and the pool must be healthy in the end.
 */
export async function answersWhilePreparationsFail({ requests, seed }: { requests: number; seed: number }): Promise<void> {
  const dice = random(seed)
  const faults = { refused: 0, forgotten: 0 }
  let failing = false
  const { organization, database } = await testApp({ onStream: (stream) => failing && breakAtRandom(stream, dice, faults) })
  const parties: Party[] = []
  for (const name of ['Harbour', 'Mountain']) {
    const party = { caller: await organization(), name, made: 0, id: '' }
    parties.push({ ...party, id: await addContact(party), made: 1 })
  }

  it(
    `answers ${requests} requests while connections fail to be prepared, and lose what was prepared`,
    async () => {
      failing = true
      await discardIdle()
      let left = requests
      await Promise.all(
        Array.from({ length: callers }, async () => {
          for (; left > 0; left -= 1) await request(dice.pick(parties))
        }),
      )
      failing = false
      await discardIdle()

      expect(faults.refused).toBeGreaterThan(requests / 250)
      expect(faults.forgotten).toBeGreaterThan(requests / 250)
      for (const { caller, made } of parties) {
        const { headers } = await caller.call('GET', '/v1/contacts?count=true')
        expect(headers['x-total-count']).toBe(String(made))
      }
      const { pool } = database
      // Work that an answer does not wait for may still hold a connection.
      await expect.poll(() => [pool.waitingCount, pool.totalCount - pool.idleCount]).toEqual([0, listening])
    },
    requests * 200,
  )

  /** Discards idle connections, since the faults of a connection are chosen when it is created. */
  async function discardIdle(): Promise<void> {
    const clients = await Promise.all(Array.from({ length: database.pool.totalCount - listening }, () => database.pool.connect()))
    for (const client of clients) client.release(true)
  }

  async function request(party: Party): Promise<void> {
    const way = dice.pick(ways(party.id))
    if (way === null) return void (await addContact(party))
    const [method, path, body] = way
    const answer = await party.caller.call(method, path, body)
    expect([path, answer.status]).toEqual([path, 200])
    const text = JSON.stringify(answer.body)
    expect(parties.filter(({ name }) => name !== party.name && text.includes(name))).toEqual([])
    if (path === '/v1/overview') expect(answer.body.totals.contacts).toBeLessThanOrEqual(party.made + callers)
    else expect(text).toContain(party.name)
  }
}

interface Party {
  readonly caller: Caller
  /** Last name of its contacts. */
  readonly name: string
  readonly id: string
  /** Number of contacts whose creation was acknowledged. */
  made: number
}

/** Requests; null creates a contact. */
const ways = (id: string): readonly ([string, string, object?] | null)[] => [
  null,
  ['GET', '/v1/contacts?count=true&limit=3'],
  ['GET', `/v1/contacts/${id}`],
  ['PATCH', `/v1/contacts/${id}`, { firstName: 'Robin' }],
  ['GET', '/v1/overview'],
]

async function addContact(party: { caller: Caller; name: string; made: number }): Promise<string> {
  const answer = await party.caller.call('POST', '/v1/contacts', {
    firstName: 'Robin',
    lastName: party.name,
    email: `${newId()}@example.com`,
  })
  expect(answer.status).toBe(201)
  party.made += 1
  return answer.body.id
}

function breakAtRandom(stream: Duplex, dice: Random, faults: { refused: number; forgotten: number }): void {
  const isRefused = dice.chance(refused)
  let statementsLeft = dice.integer(...lifetime)
  alterMessages(stream, (message) => {
    if (isRefused && parses(message, 'scope')) {
      faults.refused += 1
      return replaced(message, 'select', 'selekt')
    }
    if (!binds(message, 'scope')) return message
    statementsLeft -= 1
    if (statementsLeft > 0) return message
    faults.forgotten += 1
    return replaced(message, '\0scope\0', '\0other\0')
  })
}

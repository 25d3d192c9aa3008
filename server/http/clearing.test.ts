import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { testApp } from '../testing/app.ts'
import { address, paramsFrom, routes, createFixtures, unitEmbedder } from '../testing/fixtures.ts'

const { organization } = await testApp({ embedder: unitEmbedder })
const caller = await organization()
const own = await createFixtures(caller)

type JsonSchema = { properties?: Record<string, JsonSchema>; anyOf?: JsonSchema[]; type?: unknown; enum?: unknown; minLength?: number }
const propertiesOf = (schema: z.ZodType | undefined, io: 'input' | 'output') =>
  (z.toJSONSchema(schema ?? z.object({}), { io, unrepresentable: 'any' }) as JsonSchema).properties ?? {}
const isNullable = ({ type, anyOf = [] }: JsonSchema): boolean => type === 'null' || anyOf.some(isNullable)
const kindsOf = ({ type, enum: values, anyOf = [] }: JsonSchema): unknown[] => [
  values === undefined ? type : 'enum',
  ...anyOf.flatMap(kindsOf),
]
const isEmptyText = ({ minLength = 0, anyOf = [], ...schema }: JsonSchema): boolean =>
  anyOf.length > 0 ? anyOf.some(isEmptyText) : kindsOf(schema).includes('string') && minLength === 0

const patches = routes.filter(({ route }) => route.method === 'PATCH')

describe('null clears', () => {
  it.each(patches)('every nullable field: $name', async ({ route }) => {
    const [sent, received] = [propertiesOf(route.body, 'input'), propertiesOf(route.reply, 'output')]
    const path = address(route, paramsFrom(route, own))
    for (const [name, schema] of Object.entries(sent)) {
      const shown = received[name]
      if (shown === undefined) continue
      const emptyText = !isNullable(shown) && isEmptyText(schema)
      if (!isNullable(shown) && !emptyText) continue
      const answer = await caller.call(route.method, path, { ...kept[name], [name]: null })
      expect([name, answer.status, answer.body[name]]).toEqual([name, 200, emptyText ? '' : null])
    }
  })

  it.each<[path: string, field: string]>([
    [`/v1/bases/${own['kb']}`, 'description'],
    [`/v1/bases/${own['kb']}`, 'language'],
    [`/v1/webhooks/${own['whk']}`, 'description'],
    [`/v1/bases/${own['kb']}/questions/${own['qst']}`, 'note'],
    [`/v1/bases/${own['kb']}/sources/${own['src']}`, 'syncSchedule'],
  ])('%s %s', async (path, field) => {
    expect((await caller.call('PATCH', path, { [field]: null })).status).toBe(200)
  })

  it('on creation too', async () => {
    expect((await caller.call('POST', '/v1/bases', { name: 'B', description: null })).body.description).toBe('')
  })
})

/** Fields that the record needs while another one is cleared. */
const kept: Record<string, object> = { email: { phone: '+442079460018' }, expectedText: { expectedSourceIds: [own['src']] } }

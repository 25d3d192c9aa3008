import { describe, expect, it } from 'vitest'
import { testApp } from '../testing/app.ts'
import { newId } from '../lib/ids.ts'

const { organization, database } = await testApp()

const limits = [
  {
    path: '/v1/custom-fields',
    body: (at: number) => ({ entity: 'contact', name: `Field ${at}`, type: 'text' }),
    fill: `insert into custom_field (organization_id, id, entity, name, type, created_at, updated_at)
      select $1, each, 'company', each::text, 'text', now(), now() from unnest($2::uuid[]) as each`,
    max: 200,
  },
  {
    path: '/v1/contact-views',
    body: (at: number) => ({ name: `View ${at}`, columns: ['name'] }),
    fill: `insert into contact_view (organization_id, id, name, sort, columns, shared, created_at, updated_at)
      select $1, each, each::text, '-createdAt', '{name}', true, now(), now() from unnest($2::uuid[]) as each`,
    max: 200,
  },
  {
    path: '/v1/proposal-list-views',
    body: (at: number) => ({ name: `View ${at}` }),
    fill: `insert into proposal_list_view (organization_id, id, name, sort, shared, created_at, updated_at)
      select $1, each, each::text, '-createdAt', true, now(), now() from unnest($2::uuid[]) as each`,
    max: 200,
  },
  {
    path: '/v1/source-views',
    body: (at: number) => ({ name: `View ${at}` }),
    fill: `insert into source_view (organization_id, id, name, sort, shared, created_at, updated_at)
      select $1, each, each::text, '-createdAt', true, now(), now() from unnest($2::uuid[]) as each`,
    max: 200,
  },
  {
    path: '/v1/webhooks',
    body: (at: number) => ({ url: `https://example.com/${at}` }),
    fill: `insert into webhook_endpoint (organization_id, id, url, description, secret, created_at, updated_at)
      select $1, each, 'https://example.com', '', '', now(), now() from unnest($2::uuid[]) as each`,
    max: 50,
  },
]

describe('requireBelow', () => {
  it.each(limits)('lets concurrent requests to $path not exceed the maximum together', async ({ path, body, fill, max }) => {
    const [caller, other] = [await organization(), await organization()]
    await database.pool.query(fill, [caller.organizationId, Array.from({ length: max - 3 }, () => newId())])
    const answers = await Promise.all(Array.from({ length: 8 }, (_, at) => caller.call('POST', path, body(at))))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 409, 409, 409, 409, 409])
    expect((await other.call('POST', path, body(0))).status).toBe(201)
  })
})

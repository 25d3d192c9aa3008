import { contactQueries } from '@groundwork/server/testing/contact-queries'
import type { GeneratedContact } from '@groundwork/server/testing/generated-contacts'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type pg from 'pg'
import { Pool } from 'undici'
import { percentile, printTable, withEnds } from './run.ts'

export interface Filling {
  readonly organization: string
  readonly databaseUrl: string
  readonly url: string
  readonly token: string
  /** A custom field of numbers. */
  readonly fieldId: string
  readonly made: readonly GeneratedContact[]
  readonly repetitions: number
  /** Only cases whose names match. */
  readonly only?: RegExp
}

interface Case {
  readonly name: string
  readonly path: string
  readonly body?: unknown
  /** Conditions of the bare statement, with parameters from $2; undefined if the search is not one condition. */
  readonly where?: string
  readonly values?: readonly unknown[]
  readonly order?: string
}

/** Indexes that someone would create for one filter alone. */
const indexes = [
  'bench_tags on contact using gin (tags)',
  'bench_job on contact (organization_id, job_title)',
  'bench_language on contact (organization_id, language)',
  `bench_consent on contact (organization_id, (consent ->> 'email'))`,
  'bench_last_name on contact (organization_id, last_name)',
  'bench_company on company (organization_id, name)',
  'bench_currency on proposal (organization_id, currency)',
  'bench_time_zone on contact (organization_id, time_zone)',
  `bench_city on contact (organization_id, (address ->> 'city'))`,
  'bench_do_not_contact on contact (organization_id, do_not_contact)',
  'bench_title on proposal (organization_id, title)',
  'bench_expires on proposal (organization_id, expires_at)',
  'bench_direction on activity (organization_id, direction)',
  'bench_assignee on activity (organization_id, assignee_id)',
  'bench_due on activity (organization_id, due_at)',
  'bench_done on activity (organization_id, done_at)',
  'bench_consent_at on consent_change (organization_id, channel, at)',
  'bench_vat on company (organization_id, vat_id)',
  'bench_domains on company using gin (domains)',
  'bench_company_tags on company using gin (tags)',
  `bench_company_city on company (organization_id, (address ->> 'city'))`,
]

export async function measureFilters(database: pg.ClientBase, filling: Filling): Promise<void> {
  const { organization, databaseUrl, fieldId, url, token, repetitions, only = /./ } = filling
  for (const index of [...indexes, `bench_points on contact (organization_id, ((custom_fields ->> '${fieldId}')::numeric))`])
    await database.query(`create index if not exists ${index}`)
  await database.query('vacuum analyze contact, company, proposal')
  const cases = (await casesOf(database, filling)).filter(({ name }) => only.test(name))
  await withEnds(async (atEnd) => {
    const pool = new Pool(url, { connections: 1 })
    atEnd(() => pool.close())
    const send = async ({ path, body }: Pick<Case, 'path' | 'body'>): Promise<number> => {
      const found = (await received(pool, path, body, { authorization: `Bearer ${token}` })) as Found
      return (Array.isArray(found) ? found : (found.data ?? found.candidates ?? [])).length
    }
    const bareServer = fork(join(import.meta.dirname, 'bare-statement.ts'), [databaseUrl], { execArgv: ['--import', 'tsx'] })
    atEnd(async () => void bareServer.kill('SIGKILL'))
    const [bareUrl] = (await once(bareServer, 'message')) as [string]
    const barePool = new Pool(bareUrl, { connections: 1 })
    atEnd(() => barePool.close())
    const rows: string[][] = []
    for (const each of cases) {
      const times: { bare: number[]; http: number[]; service: number[] } = { bare: [], http: [], service: [] }
      const { where, values = [], order = 'created_at desc, id desc' } = each
      const text = `select * from contact where organization_id = $1 and deleted_at is null and ${where} order by ${order} limit 51`
      let found = 0
      const statement = { name: each.name, text, values: [organization, ...values] }
      // They alternate, so that other load on the machine affects all. The first ones are a warm-up.
      for (let at = -5; at < repetitions; at += 1) {
        const bareTime = where === undefined ? Number.NaN : await timeOf(() => database.query(statement))
        const httpTime = where === undefined ? Number.NaN : await timeOf(() => received(barePool, '/', statement))
        const serviceTime = await timeOf(async () => (found = await send(each)))
        if (at < 0) continue
        times.bare.push(bareTime)
        times.http.push(httpTime)
        times.service.push(serviceTime)
      }
      const all = [times.bare, times.http, times.service]
      const [bareP95 = Number.NaN, httpP95 = Number.NaN, p95 = Number.NaN] = all.map((measured) => percentile(measured, 0.95))
      const figures = all.flatMap((measured) => [percentile(measured, 0.5), percentile(measured, 0.95)])
      rows.push([
        each.name,
        String(found),
        ...figures.map((value) => value.toFixed(1)),
        (p95 / bareP95).toFixed(2),
        (p95 / httpP95).toFixed(2),
      ])
      process.stdout.write('.')
    }
    printTable(
      `Milliseconds of one caller for 50 of ${filling.made.length} contacts, ${repetitions} requests each (PostgreSQL)`,
      ['request', 'found', 'bare p50', 'bare p95', 'over HTTP p50', 'over HTTP p95', 'p50', 'p95', 'p95 / bare p95', 'p95 / over HTTP'],
      rows,
    )
    const texts = contactQueries(filling.made, 600).map(({ q }) => q)
    const mixed: [string, (q: string) => Pick<Case, 'path' | 'body'>][] = [
      ['q of 600 people', (q) => ({ path: `/v1/contacts?limit=50&q=${encodeURIComponent(q)}` })],
      ['q of 600 people and a tag of 2,000', (q) => ({ path: `/v1/contacts?limit=50&tag=few&q=${encodeURIComponent(q)}` })],
      ['q of 600 people and a tag of 1 in 50', (q) => ({ path: `/v1/contacts?limit=50&tag=spread&q=${encodeURIComponent(q)}` })],
      ['identify 600 people by name', (name) => ({ path: '/v1/contacts/identify', body: { name } })],
    ]
    const searches: string[][] = []
    for (const [name, request] of mixed.filter(([each]) => only.test(each))) {
      const times: number[] = []
      for (const text of texts) times.push(await timeOf(() => send(request(text))))
      searches.push([name, ...[0.5, 0.95, 1].map((share) => percentile(times, share).toFixed(1))])
    }
    printTable(`Milliseconds of searches, each once`, ['request', 'p50', 'p95', 'slowest'], searches)
  })
}

/** The expressions of the indexes of these orders. */
const interactionOrder = `case when last_interaction_at is not null then last_interaction_at else timestamptz '-infinity' end`
const nameOrder = `contact_fold(coalesce(last_name, '') || ' ' || coalesce(first_name, '')) collate "C"`

async function casesOf(database: pg.ClientBase, { organization, fieldId, made }: Filling): Promise<Case[]> {
  const one = async <T extends pg.QueryResultRow>(text: string): Promise<T> => {
    const [row] = (await database.query<T>(text, [organization])).rows
    if (row === undefined) throw new Error(`no row: ${text}`)
    return row
  }
  const last = await one<{ id: string; created_at: Date }>(
    'select id, created_at from contact where organization_id = $1 order by created_at, id offset 60 limit 1',
  )
  const company = await one<{ id: string }>(`select id from company where organization_id = $1 and name = 'Company 7'`)
  const lastName = await one<{ last_name: string }>(
    'select last_name from contact where organization_id = $1 group by last_name order by abs(count(*) - 2000) limit 1',
  )
  const task = await one<{ assignee_id: string }>(`select assignee_id from activity where organization_id = $1 and type = 'task' limit 1`)
  const cursor = Buffer.from(`${last.created_at.getTime()}.${last.id}`).toString('base64url')
  const person = made[777]
  if (person === undefined) throw new Error('there are too few contacts')
  const list = (name: string, query: string, bare: Pick<Case, 'where' | 'values' | 'order'>): Case => ({
    name,
    path: `/v1/contacts?limit=50${query}`,
    ...bare,
  })
  const search = (name: string, filter: unknown, where: string, values: unknown[], others: object = {}): Case => ({
    name,
    path: '/v1/contacts/search',
    body: { filter, limit: 50, ...others },
    where,
    values,
  })
  const tagged = (tag: string): Case => list(`tag ${tag}`, `&tag=${tag}`, { where: 'tags @> $2::text[]', values: [[tag]] })
  const both = (q: string, tag: string): Case =>
    list(`q=${q} and tag ${tag}`, `&q=${encodeURIComponent(q)}&tag=${tag}`, {
      where: `tags @> $2::text[] and id in (select contact_id from contact_terms t where t.organization_id = $1 and t.terms @@ $3::tsquery)`,
      values: [[tag], `'${q}'`],
      order: 'id desc',
    })
  const word = (q: string, condition = `'${q}'`): Case =>
    list(`q=${q}`, `&q=${encodeURIComponent(q)}`, {
      where: 'id in (select contact_id from contact_terms t where t.organization_id = $1 and t.terms @@ $2::tsquery)',
      values: [condition],
      order: 'id desc',
    })
  const offered = (name: string, filter: object, where: string, values: unknown[]): Case =>
    search(name, filter, `id in (select contact_id from proposal where organization_id = $1 and ${where})`, values)
  const active = (name: string, filter: object, where: string, values: unknown[]): Case =>
    search(name, filter, `id in (select contact_id from activity where organization_id = $1 and ${where})`, values)
  const employed = (name: string, filter: object, where: string, values: unknown[]): Case =>
    search(name, filter, `company_id in (select id from company where organization_id = $1 and ${where})`, values)
  const day = ['2025-01-02T00:00:00Z', '2025-01-03T00:00:00Z'] as const
  const during = (key: string): object => ({ key, gte: day[0], lt: day[1] })
  return [
    list('newest', '', { where: 'true' }),
    list('last page', `&cursor=${cursor}`, { where: '(created_at, id) < ($2, $3)', values: [last.created_at, last.id] }),
    list('sort=-lastInteractionAt', '&sort=-lastInteractionAt', {
      where: 'true',
      order: `${interactionOrder} desc, id desc`,
    }),
    ...(await Promise.all(
      [
        ['lastInteractionAt', interactionOrder, 'timestamptz'],
        ['name', nameOrder, 'text'],
      ].map(async ([sort = '', key = '', type = '']) => {
        const { value, id } = await one<{ value: string; id: string }>(
          `select (${key})::text as value, id from contact where organization_id = $1 order by ${key} desc, id desc offset 60 limit 1`,
        )
        const place = Buffer.from(JSON.stringify([sort, value, id])).toString('base64url')
        return list(`last page, sort=${sort}`, `&sort=${sort}&cursor=${place}`, {
          where: `(${key}, id) > ($2::${type}, $3)`,
          values: [value, id],
          order: `${key}, id`,
        })
      }),
    )),
    list('email', `&email=${encodeURIComponent(person.email)}`, { where: 'email = $2', values: [person.email] }),
    list('phone', `&phone=${encodeURIComponent(person.phone)}`, { where: 'phone = $2', values: [person.phone] }),
    ...['unknown', 'rare', 'few', 'vip', 'newest', 'oldest', 'spread', 'most'].map(tagged),
    list('tag oldest, sort=name', '&tag=oldest&sort=name', {
      where: 'tags @> $2::text[]',
      values: [['oldest']],
      order: `${nameOrder}, id`,
    }),
    list('tags few and most', '&tag=few&tag=most', { where: 'tags @> $2::text[]', values: [['few', 'most']] }),
    list('tags spread and most', '&tag=spread&tag=most', { where: 'tags @> $2::text[]', values: [['spread', 'most']] }),
    list('tags oldest and vip', '&tag=oldest&tag=vip', { where: 'tags @> $2::text[]', values: [['oldest', 'vip']] }),
    search('tags in (rare, few)', { key: 'tags', in: ['rare', 'few'] }, 'tags && $2::text[]', [['rare', 'few']]),
    search('tags in (oldest, few)', { key: 'tags', in: ['oldest', 'few'] }, 'tags && $2::text[]', [['oldest', 'few']]),
    search(
      'tag oldest, not few',
      { and: [{ key: 'tags', eq: 'oldest' }, { not: { key: 'tags', eq: 'few' } }] },
      'tags @> $2::text[] and not tags @> $3::text[]',
      [['oldest'], ['few']],
    ),
    search('jobTitle of 2,000', { key: 'jobTitle', eq: 'Nurse' }, 'job_title = $2', ['Nurse']),
    search('jobTitle unknown', { key: 'jobTitle', eq: 'Pilot' }, 'job_title = $2', ['Pilot']),
    search('lastName of 2,000', { key: 'lastName', eq: lastName.last_name }, 'last_name = $2', [lastName.last_name]),
    search('language of 20,000', { key: 'language', eq: 'de' }, 'language = $2', ['de']),
    search('consent.email of 20,000', { key: 'consent.email', eq: 'granted' }, `consent ->> 'email' = $2`, ['granted']),
    search('consent.phone unknown', { key: 'consent.phone', eq: 'denied' }, `consent ->> 'email' = $2`, ['denied']),
    search('customFields = of 20', { key: `customFields.${fieldId}`, eq: 17 }, `(custom_fields ->> '${fieldId}')::numeric = $2`, [17]),
    search(
      'customFields range of 2,000',
      { key: `customFields.${fieldId}`, gte: 100, lt: 200 },
      `(custom_fields ->> '${fieldId}')::numeric >= $2 and (custom_fields ->> '${fieldId}')::numeric < $3`,
      [100, 200],
    ),
    search(
      'customFields range of 20,000',
      { key: `customFields.${fieldId}`, gte: 1000, lt: 2000 },
      `(custom_fields ->> '${fieldId}')::numeric >= $2 and (custom_fields ->> '${fieldId}')::numeric < $3`,
      [1000, 2000],
    ),
    list('companyId', `&companyId=co_${company.id}`, { where: 'company_id = $2', values: [company.id] }),
    search(
      'company',
      { key: 'company', eq: 'Company 7' },
      'company_id in (select id from company where organization_id = $1 and name = $2)',
      ['Company 7'],
    ),
    search(
      'company unknown',
      { key: 'company', eq: 'Nowhere' },
      'company_id in (select id from company where organization_id = $1 and name = $2)',
      ['Nowhere'],
    ),
    search(
      'createdAt of a minute',
      { key: 'createdAt', gte: '2025-01-02T00:00:00Z', lt: '2025-01-02T00:01:00Z' },
      'created_at >= $2 and created_at < $3',
      ['2025-01-02T00:00:00Z', '2025-01-02T00:01:00Z'],
    ),
    offered('proposals.status of 20', { key: 'proposals.status', eq: 'voided' }, 'status = $2', ['voided']),
    offered('proposals.status of 2,000', { key: 'proposals.status', eq: 'expired' }, 'status = $2', ['expired']),
    offered('proposals.status of 20,000', { key: 'proposals.status', eq: 'pending' }, 'status = $2', ['pending']),
    offered('proposals.status of most', { key: 'proposals.status', eq: 'completed' }, 'status = $2', ['completed']),
    offered('proposals.status of none', { key: 'proposals.status', eq: 'draft' }, 'status = $2', ['draft']),
    offered('proposals.currency of 200', { key: 'proposals.currency', eq: 'JPY' }, 'currency = $2', ['JPY']),
    offered('proposals.totalAmount of 200', { key: 'proposals.totalAmount', gt: 9989 }, 'total_hundredths > $2', [998900]),
    offered(
      'proposals.sentAt of a day',
      { key: 'proposals.sentAt', gte: '2025-01-02T00:00:00Z', lt: '2025-01-03T00:00:00Z' },
      'sent_at >= $2 and sent_at < $3',
      ['2025-01-02T00:00:00Z', '2025-01-03T00:00:00Z'],
    ),
    offered('proposals.sentAt of the oldest 34,560', { key: 'proposals.sentAt', lt: '2025-01-03T00:00:00Z' }, 'sent_at < $2', [
      '2025-01-03T00:00:00Z',
    ]),
    offered('proposals.sentAt of the oldest 4,000', { key: 'proposals.sentAt', lt: '2025-01-01T05:33:20Z' }, 'sent_at < $2', [
      '2025-01-01T05:33:20Z',
    ]),
    search(
      'activities.occurredAt of the oldest 17,280',
      { key: 'activities.occurredAt', lt: '2025-01-03T00:00:00Z' },
      'id in (select contact_id from activity where organization_id = $1 and occurred_at < $2)',
      ['2025-01-03T00:00:00Z'],
    ),
    search(
      'tag few and proposals.status',
      {
        and: [
          { key: 'tags', eq: 'few' },
          { key: 'proposals.status', eq: 'pending' },
        ],
      },
      `tags @> $3::text[] and id in (select contact_id from proposal where organization_id = $1 and status = $2)`,
      ['pending', ['few']],
    ),
    search(
      'activities.type of 1,000',
      { key: 'activities.type', eq: 'meeting' },
      'id in (select contact_id from activity where organization_id = $1 and type = $2)',
      ['meeting'],
    ),
    search('timeZone of 20', { key: 'timeZone', eq: 'Asia/Tokyo' }, 'time_zone = $2', ['Asia/Tokyo']),
    search('timeZone of 20,000', { key: 'timeZone', eq: 'Europe/Lisbon' }, 'time_zone = $2', ['Europe/Lisbon']),
    search('timeZone unknown', { key: 'timeZone', eq: 'Europe/Rome' }, 'time_zone = $2', ['Europe/Rome']),
    search('address.city of 2,000', { key: 'address.city', eq: 'Porto' }, `address ->> 'city' = $2`, ['Porto']),
    search('address.city of 20,000', { key: 'address.city', eq: 'Lyon' }, `address ->> 'city' = $2`, ['Lyon']),
    search('address.city unknown', { key: 'address.city', eq: 'Atlantis' }, `address ->> 'city' = $2`, ['Atlantis']),
    search('address.street, any', { key: 'address.street', exists: true }, `address ->> 'city' = $2`, ['Porto']),
    search('doNotContact of 2,000', { key: 'doNotContact', eq: true }, 'do_not_contact', []),
    search(
      'consent.email.at of a day',
      during('consent.email.at'),
      `id in (select contact_id from consent_change where organization_id = $1 and channel = 'email' and at >= $2 and at < $3)`,
      [...day],
    ),
    offered('proposals.title of 20', { key: 'proposals.title', eq: 'Roof' }, 'title = $2', ['Roof']),
    offered('proposals.title of most', { key: 'proposals.title', eq: 'Offer' }, 'title = $2', ['Offer']),
    offered('proposals.externalId', { key: 'proposals.externalId', eq: 'order-4711' }, 'external_id = $2', ['order-4711']),
    offered('proposals.number', { key: 'proposals.number', eq: 'P-4711' }, 'number = $2', [4711]),
    offered('proposals.expiresAt of a day', { key: 'proposals.expiresAt', lt: '2025-01-16T00:00:00Z' }, 'expires_at < $2', [
      '2025-01-16T00:00:00Z',
    ]),
    active('activities.direction of 10,000', { key: 'activities.direction', eq: 'outbound' }, 'direction = $2', ['outbound']),
    active('activities.direction of most', { key: 'activities.direction', eq: 'inbound' }, 'direction = $2', ['inbound']),
    active('activities.externalId', { key: 'activities.externalId', eq: 'call-1735690008' }, 'external_id = $2', ['call-1735690008']),
    active('activities.assigneeId of 2,000', { key: 'activities.assigneeId', eq: `usr_${task.assignee_id}` }, 'assignee_id = $2', [
      task.assignee_id,
    ]),
    active('activities.dueAt of a day', during('activities.dueAt'), 'due_at >= $2 and due_at < $3', [...day]),
    active('activities.doneAt of a day', during('activities.doneAt'), 'done_at >= $2 and done_at < $3', [...day]),
    employed('company.externalId', { key: 'company.externalId', eq: 'crm-17' }, 'external_id = $2', ['crm-17']),
    employed('company.vatId', { key: 'company.vatId', eq: 'DE17' }, 'vat_id = $2', ['DE17']),
    employed('company.domains', { key: 'company.domains', eq: 'company17.example' }, 'domains @> $2::text[]', [['company17.example']]),
    employed('company.tags of 1,000', { key: 'company.tags', eq: 'partner' }, 'tags @> $2::text[]', [['partner']]),
    employed('company.address.city of 100', { key: 'company.address.city', eq: 'City 17' }, `address ->> 'city' = $2`, ['City 17']),
    employed('company.address.country of most', { key: 'company.address.country', eq: 'DE' }, `address ->> 'country' = $2`, ['DE']),
    word('john'),
    word('maria'),
    word('example'),
    word('john smithson', `'=john smithson'`),
    word('zzyzx qqvxy', `'zzyzx'`),
    ...['rare', 'few', 'spread', 'oldest', 'most'].flatMap((tag) => [both('example', tag), both('john', tag)]),
    {
      name: 'identify by email',
      path: '/v1/contacts/identify',
      body: { email: person.email },
      where: 'email = $2',
      values: [person.email],
    },
    {
      name: 'identify by phone',
      path: '/v1/contacts/identify',
      body: { phone: person.phone },
      where: 'phone = $2',
      values: [person.phone],
    },
    {
      name: 'identify by name',
      path: '/v1/contacts/identify',
      body: { name: `${person.firstName} ${person.lastName}` },
      where: 'first_name = $2 and last_name = $3',
      values: [person.firstName, person.lastName],
    },
  ]
}

type Found = unknown[] | { data?: unknown[]; candidates?: unknown[] }

/** Sends a request and returns the JSON of its reply. */
async function received(pool: Pool, path: string, body: unknown, headers: Record<string, string> = {}): Promise<unknown> {
  const reply = await pool.request({
    method: body === undefined ? 'GET' : 'POST',
    path,
    headers: { ...headers, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await reply.body.text()
  if (reply.statusCode !== 200) throw new Error(`${path} ${JSON.stringify(body)}: ${reply.statusCode} ${text}`)
  return JSON.parse(text)
}

async function timeOf(run: () => Promise<unknown>): Promise<number> {
  const begin = performance.now()
  await run()
  return performance.now() - begin
}

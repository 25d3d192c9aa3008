import type { ContactCandidate, ContactIdentity, IdentifyContact, IdentifyReason } from '@groundwork/api'
import { sql } from 'kysely'
import { select, selectSql, type Context } from '../context.ts'
import { briefOf } from './brief.ts'
import { nameDistances } from './name-distance.ts'
import { firstSimilar, rankedContacts, type RankedContact } from './ranked.ts'
import { toContact, type ContactRow } from './record.ts'
import { numberTerms, term, type QueryForms } from './search-tiers.ts'

const maxCandidates = 5
/** More contacts with one number or address are not compared. */
const maxSharing = 50

type Strong = 'external_id' | 'email' | 'phone'

/** How likely a contact with this number, address or id alone is the person. */
const strengths: Readonly<Record<Strong, number>> = { external_id: 0.99, email: 0.95, phone: 0.9 }

/**
 * Returns the contact that a person is. Only an id, an address or a number identifies a contact, and only if no other contact has it
 * or the name tells them apart, and the name is not another one.
 */
export async function identifyContact(ctx: Context, input: IdentifyContact): Promise<ContactIdentity> {
  const evidence = await strongEvidence(ctx, input)
  const rows = await contactsOf(ctx, [...evidence.keys()])
  const named = input.name === undefined ? new Map<string, NameMatch>() : await compareNames(ctx, input.name, rows)
  const byName = input.name === undefined || rows.length > 0 ? [] : await contactsNamed(ctx, input.name)
  const candidates = [
    ...rows.map((row) => candidateOf(row, evidence.get(row.id) ?? [], named.get(row.id))),
    ...byName.map((row) => candidateOf(row, [], row.match === 'whole' ? 'name' : 'similar_name')),
  ]
    .toSorted((a, b) => b.score - a.score)
    .slice(0, maxCandidates)
  const [first, second] = candidates
  if (first === undefined) return { result: 'none', candidates, brief: null }
  const isOne = first.score >= minScore && (second === undefined || first.score - second.score >= minLead)
  if (!isOne) return { result: 'several', candidates, brief: null }
  return { result: 'one', candidates, brief: await briefOf(ctx, first.contact) }
}

/** The score from which a contact is the person, unless another one is nearly as likely. */
const minScore = 0.85
const minLead = 0.25

type NameMatch = 'name' | 'similar_name' | 'shared_word' | 'other_name'

function candidateOf(row: ContactRow, strong: readonly Strong[], name: NameMatch | undefined): ContactCandidate {
  const reasons: IdentifyReason[] = [...strong, ...(name === undefined ? [] : [name === 'shared_word' ? 'similar_name' : name])]
  return { contact: toContact(row), reasons, score: Number(scoreOf(strong, name).toFixed(2)) }
}

function scoreOf(strong: readonly Strong[], name: NameMatch | undefined): number {
  if (strong.length === 0) return name === 'name' ? 0.5 : 0.3
  // The probability that not all of them are wrong.
  const likely = 1 - strong.reduce((wrong, reason) => wrong * (1 - strengths[reason]), 1)
  if (name === undefined) return likely
  return name === 'name' ? 1 - (1 - likely) / 10 : likely * nameFactors[name]
}

/** A relative can have the same last name and number. */
const nameFactors = { similar_name: 0.97, shared_word: 0.7, other_name: 0.6 }

/** Returns the ids of contacts with the id, address or number. */
async function strongEvidence(ctx: Context, { externalId, email, phone }: IdentifyContact): Promise<Map<string, Strong[]>> {
  const numbers = phone === undefined ? [] : numberTerms(phone)
  const parts = [
    externalId !== undefined && sql`select 'external_id', id from contact where external_id = ${externalId} and deleted_at is null`,
    email !== undefined && sql`select 'email', contact_id from contacts_with_terms(${term(`=${email}`)}::tsquery)`,
    numbers.length > 0 && sql`select 'phone', contact_id from contacts_with_terms(${numbers.join(' | ')}::tsquery)`,
  ].filter((part) => part !== false)
  if (parts.length === 0) return new Map()
  const limited = parts.map((part) => sql`(${part} limit ${maxSharing})`)
  const rows = await selectSql(
    ctx,
    sql<{ reason: Strong; contact_id: string }>`select * from (${sql.join(limited, sql` union all `)}) as evidence (reason, contact_id)`,
  )
  const evidence = new Map<string, Strong[]>()
  for (const { reason, contact_id } of rows) evidence.set(contact_id, [...(evidence.get(contact_id) ?? []), reason])
  return evidence
}

async function contactsOf(ctx: Context, ids: readonly string[]): Promise<ContactRow[]> {
  if (ids.length === 0) return []
  return select(ctx, (db) =>
    db
      .selectFrom('contact')
      .selectAll()
      .where(sql<boolean>`id = any(${ids}::uuid[])`)
      .where('deleted_at', 'is', null),
  )
}

/** Compares the name with those of contacts. A contact without a name is left out. */
async function compareNames(ctx: Context, name: string, rows: readonly ContactRow[]): Promise<Map<string, NameMatch>> {
  const namedRows = rows.filter(({ first_name, last_name }) => first_name !== null || last_name !== null)
  if (namedRows.length === 0) return new Map()
  const compared = await selectSql(
    ctx,
    sql<{ id: string; names: string; forms: QueryForms }>`
      select id, array_to_string(forms.words, ' ') || '|' || array_to_string(forms.latin, ' ') as names, contact_query(${name}) as forms
      from contact, contact_name_forms(first_name, last_name) as forms where id = any(${namedRows.map(({ id }) => id)}::uuid[])`,
  )
  const words = compared[0]?.forms.words ?? []
  if (words.length === 0) return new Map()
  const distanceTo = nameDistances(words)
  const distancesOfWords = words.map((word) => nameDistances([word]))
  return new Map(
    compared.map(({ id, names }): [string, NameMatch] => {
      const distance = distanceTo(names)
      if (distance !== undefined) return [id, distance < 0.3 ? 'name' : 'similar_name']
      const sharesWord = distancesOfWords.some((distanceOfWord) => distanceOfWord(names) !== undefined)
      return [id, sharesWord ? 'shared_word' : 'other_name']
    }),
  )
}

async function contactsNamed(ctx: Context, name: string): Promise<RankedContact[]> {
  const { rows } = await rankedContacts(ctx, (db) => db.selectFrom('contact').where('deleted_at', 'is', null), {
    q: name,
    limit: maxCandidates,
    isFiltered: false,
  })
  return rows.filter(({ rank }) => rank < firstSimilar + 15)
}

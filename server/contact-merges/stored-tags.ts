import { sql, type Expression, type SqlBool } from 'kysely'
import type { Transaction } from '../db/schema.ts'

/**
 * Changes tags in the values that undo merges, so that undoing one does not take the change for an edit of the contact.
 * @param into the tag that replaces the changed ones; null removes them
 * @param isConcerned SQL condition on contacts whose tags are not changed yet: their merges follow with them
 */
export async function changeTagsOfMerges(
  trx: Transaction,
  { tags, into }: { readonly tags: readonly string[]; readonly into: string | null },
  isConcerned: Expression<SqlBool>,
): Promise<void> {
  const changed = sql`lower_tags(${tags}::text[])`
  const tagsIn = (column: 'before' | 'after') => sql`array(select jsonb_array_elements_text(${sql.ref(column)} -> 'tags'))`
  const after = (column: 'before' | 'after') =>
    sql`jsonb_set(${sql.ref(column)}, '{tags}', to_jsonb(changed_tags(${tagsIn(column)}, ${changed}, ${into}::text)))`
  const has = (column: 'before' | 'after') => sql`lower_tags(${tagsIn(column)}) && ${changed}`
  await sql`
    update contact_merge set before = ${after('before')}, after = ${after('after')}
    where (${has('before')} or ${has('after')})
      and not exists (select from contact where contact.id = survivor_id and ${isConcerned})`.execute(trx)
}

import { sql, type RawBuilder } from 'kysely'
import { likePattern } from '../lib/like.ts'
import type { PersonalTerms } from '../lib/personal-terms.ts'

/** Returns the SQL condition that a text contains one of the terms. */
export const namesPerson = (text: RawBuilder<unknown>, { texts, numbers }: PersonalTerms): RawBuilder<boolean> =>
  sql`(regexp_replace(lower(${text}), '\\s+', ' ', 'g') like any (${texts.map(likePattern)}::text[])
    or regexp_replace(${text}, '\\D', '', 'g') like any (${numbers.map(likePattern)}::text[]))`

import { sql, type RawBuilder } from 'kysely'

/** Returns the condition that a text of the row contains each word of `words`. Accents and case do not count. */
export const containsWords = (textOfRow: RawBuilder<string>, words: string): RawBuilder<boolean> =>
  sql<boolean>`(select bool_and(position(contact_fold(word) in contact_fold(${textOfRow})) > 0)
    from regexp_split_to_table(trim(${words}), '\\s+') word)`

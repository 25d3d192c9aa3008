import type {
  CompanyDuplicate,
  CompanyDuplicateReason,
  CountCompanyDuplicates,
  DuplicateCount,
  ListCompanyDuplicates,
} from '@groundwork/api'
import { sql } from 'kysely'
import { toCompany, type CompanyRow } from '../companies/record.ts'
import { presentCompany } from '../companies/survivor.ts'
import type { Context } from '../context.ts'
import { countPairs, dismissPair, listPairs, type PairKind } from '../duplicates/pairs.ts'

const pairsOfCompanies: PairKind<CompanyRow, CompanyDuplicate> = {
  table: 'company',
  prefix: 'cdp',
  dismissed: 'company_duplicate.dismissed',
  notFound: 'There is no such pair of companies.',
  presentId: presentCompany,
  read: (trx, ids) =>
    trx
      .selectFrom('company')
      .selectAll()
      .where(sql<boolean>`id = any (${ids}::uuid[])`)
      .where('deleted_at', 'is', null)
      .execute(),
  toPair: (pair, companies, row) => ({ ...pair, companies: companies.map(toCompany), reasons: reasonsOf(row) }),
}

/** The reasons of pairs of companies are those of `likenessOf`. */
const reasonsOf = ({ reasons }: { readonly reasons: readonly string[] }) => reasons as CompanyDuplicateReason[]

/**
 * Lists pairs of companies, newest first.
 * @throws AppError `bad_request`, field `cursor`
 */
export const listCompanyDuplicates = (ctx: Context, { companyId, ...input }: ListCompanyDuplicates) =>
  listPairs(ctx, pairsOfCompanies, { ...input, recordId: companyId })

/** Counts the pairs that the list has, up to a maximum. */
export const countCompanyDuplicates = (ctx: Context, { companyId, ...input }: CountCompanyDuplicates): Promise<DuplicateCount> =>
  countPairs(ctx, pairsOfCompanies, { ...input, recordId: companyId })

/**
 * Remembers that the companies are not the same. Idempotent.
 * @throws AppError `not_found`; `forbidden` for an agent
 */
export const dismissCompanyDuplicate = (ctx: Context, id: string): Promise<CompanyDuplicate> => dismissPair(ctx, pairsOfCompanies, id)

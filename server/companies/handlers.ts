import type { GroundworkApi } from '@groundwork/api'
import type { Handlers } from '../handlers.ts'
import { createCompany, deleteCompany, getCompany, restoreCompany, updateCompany } from './companies.ts'
import { listDeletedCompanies } from './deleted.ts'
import { listCompanies } from './list.ts'
import { mergeCompanies } from './merge.ts'
import { unmergeCompany } from './unmerge.ts'

export const companyHandlers: Handlers<GroundworkApi>['companies'] = {
  list: (ctx, { query }) => listCompanies(ctx, query),
  create: (ctx, { body }) => createCompany(ctx, body),
  get: (ctx, { params }) => getCompany(ctx, params.id),
  update: (ctx, { params, body }) => updateCompany(ctx, params.id, body),
  delete: (ctx, { params }) => deleteCompany(ctx, params.id),
  deleted: (ctx, { query }) => listDeletedCompanies(ctx, query),
  restore: (ctx, { params }) => restoreCompany(ctx, params.id),
}

export const companyMergeHandlers: Handlers<GroundworkApi>['companyMerges'] = {
  merge: (ctx, { params, body }) => mergeCompanies(ctx, params.id, body),
  unmerge: (ctx, { params, body }) => unmergeCompany(ctx, params.id, body),
}

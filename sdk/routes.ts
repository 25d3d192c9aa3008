// Generated from the route table by npm run sdk:generate. Do not edit.
import type * as Api from './contract.ts'
import { paged } from './paging.ts'
import { call, segment, type RequestOptions, type Transport } from './transport.ts'

export const audit = (transport: Transport) => ({
  /**
   * List the audit log, newest first: GET /v1/audit
   * Every change of the last 400 days by default, with its author, time and IP address. Entries are written in the transaction of the change and are immutable. Tokens limited to certain knowledge bases get 403.
   */
  list: (query?: Api.AuditListQuery, options?: RequestOptions) =>
    paged<Api.AuditEntry>(transport, '/v1/audit', query, options),
})

export const bases = (transport: Transport) => ({
  /**
   * Create a knowledge base: POST /v1/bases
   * Tokens limited to certain knowledge bases get 403.
   */
  create: (body: Api.CreateKnowledgeBase, options?: RequestOptions) =>
    call<Api.KnowledgeBase>(transport, { method: 'POST', path: '/v1/bases', body }, options),
  /** List knowledge bases, newest first: GET /v1/bases */
  list: (query?: Api.BasesListQuery, options?: RequestOptions) =>
    paged<Api.KnowledgeBase>(transport, '/v1/bases', query, options),
  /** Get a knowledge base: GET /v1/bases/{baseId} */
  get: (baseId: string, options?: RequestOptions) =>
    call<Api.KnowledgeBase>(transport, { method: 'GET', path: `/v1/bases/${segment(baseId)}` }, options),
  /**
   * Update a knowledge base: PATCH /v1/bases/{baseId}
   * New chunking settings start a re-index in the background (`reindexing`). Searches use the former index until all sources switch together. An open re-index that switches automatically is replaced; 409 while one is open that does not. A new `language` applies to sources processed from then on.
   */
  update: (baseId: string, body: Api.UpdateKnowledgeBase, options?: RequestOptions) =>
    call<Api.KnowledgeBase>(transport, { method: 'PATCH', path: `/v1/bases/${segment(baseId)}`, body }, options),
  /**
   * Delete a knowledge base with all its sources: DELETE /v1/bases/{baseId}
   * Permanent and immediate: later requests and searches return nothing of it.
   */
  delete: (baseId: string, options?: RequestOptions) =>
    call<void>(transport, { method: 'DELETE', path: `/v1/bases/${segment(baseId)}` }, options),
  sources: {
    /**
     * Add a source: POST /v1/bases/{baseId}/sources
     * Processes the source in the background: poll it until its `status` is no longer `processing`. 409 if the knowledge base has a source with this `externalId`, 403 `quota_exceeded` if the organization has as many sources as its quota allows.
     */
    create: (baseId: string, body: Api.AddSource, options?: RequestOptions) =>
      call<Api.Source>(transport, { method: 'POST', path: `/v1/bases/${segment(baseId)}/sources`, body }, options),
    /**
     * List the sources of a knowledge base: GET /v1/bases/{baseId}/sources
     * Newest first unless `sort` is given. A cursor belongs to its `sort`.
     */
    list: (baseId: string, query?: Api.SourcesListQuery, options?: RequestOptions) =>
      paged<Api.Source>(transport, `/v1/bases/${segment(baseId)}/sources`, query, options),
    /**
     * Add a source, or replace the source with the same externalId: POST /v1/bases/{baseId}/sources/upsert
     * An existing source keeps its id, and its content stays searchable until the new content is complete. The name and the given fields replace the former ones, metadata by key. Unchanged content is not indexed again. A new source counts towards the quota.
     */
    upsert: (baseId: string, body: Api.UpsertSource, options?: RequestOptions) =>
      call<Api.UpsertedSource>(transport, { method: 'POST', path: `/v1/bases/${segment(baseId)}/sources/upsert`, body }, options),
    /** Get a source with its processing status: GET /v1/bases/{baseId}/sources/{sourceId} */
    get: (baseId: string, sourceId: string, options?: RequestOptions) =>
      call<Api.Source>(transport, { method: 'GET', path: `/v1/bases/${segment(baseId)}/sources/${segment(sourceId)}` }, options),
    /**
     * Update a source: PATCH /v1/bases/{baseId}/sources/{sourceId}
     * Does not process the source again. A source with `enabled` false is left out of every search from this response on.
     */
    update: (baseId: string, sourceId: string, body: Api.UpdateSource, options?: RequestOptions) =>
      call<Api.Source>(transport, { method: 'PATCH', path: `/v1/bases/${segment(baseId)}/sources/${segment(sourceId)}`, body }, options),
    /**
     * Delete a source: DELETE /v1/bases/{baseId}/sources/{sourceId}
     * Permanent and immediate: a search that starts after this response returns nothing of it. Chunks and files are deleted too.
     */
    delete: (baseId: string, sourceId: string, options?: RequestOptions) =>
      call<void>(transport, { method: 'DELETE', path: `/v1/bases/${segment(baseId)}/sources/${segment(sourceId)}` }, options),
    pages: {
      /**
       * List the pages of a crawled site: GET /v1/bases/{baseId}/sources/{sourceId}/pages
       * Returns the outcome of each page in crawl order. During a crawl, pending pages have their former outcome. Empty for other types of sources.
       */
      list: (baseId: string, sourceId: string, query?: Api.SourcesPagesQuery, options?: RequestOptions) =>
        paged<Api.SourcePage>(transport, `/v1/bases/${segment(baseId)}/sources/${segment(sourceId)}/pages`, query, options),
      /**
       * Get the extracted text of a page of a crawled site: GET /v1/bases/{baseId}/sources/{sourceId}/pages/{pageId}/content
       * The offsets of citations refer to this text. With `Accept: text/plain`, the response is the text alone. 404 for a page without stored text.
       */
      content: (baseId: string, sourceId: string, pageId: string, options?: RequestOptions) =>
        call<Api.SourceContent>(transport, { method: 'GET', path: `/v1/bases/${segment(baseId)}/sources/${segment(sourceId)}/pages/${segment(pageId)}/content` }, options),
    },
    /**
     * Replace the content of a source: POST /v1/bases/{baseId}/sources/{sourceId}/replace
     * The source keeps its id. Its former content stays searchable until the new content is complete, and if that fails.
     */
    replace: (baseId: string, sourceId: string, body: Api.ReplaceSource, options?: RequestOptions) =>
      call<Api.Source>(transport, { method: 'POST', path: `/v1/bases/${segment(baseId)}/sources/${segment(sourceId)}/replace`, body }, options),
    /**
     * Cancel the processing of a source: POST /v1/bases/{baseId}/sources/{sourceId}/cancel
     * The `errorCode` becomes `cancelled`. The status becomes `completed` if former content stays searchable, or else `failed`. Pages that a site's first crawl has read are no longer searchable then, but a retry does not fetch them again. 409 unless the source is processing.
     */
    cancel: (baseId: string, sourceId: string, options?: RequestOptions) =>
      call<Api.Source>(transport, { method: 'POST', path: `/v1/bases/${segment(baseId)}/sources/${segment(sourceId)}/cancel` }, options),
    chunks: {
      /**
       * List the chunks of a source: GET /v1/bases/{baseId}/sources/{sourceId}/chunks
       * Returns the searchable chunks in document order; empty before the first successful attempt. During the first crawl of a site, returns those of the pages that are searchable so far.
       */
      list: (baseId: string, sourceId: string, query?: Api.SourcesChunksQuery, options?: RequestOptions) =>
        paged<Api.SourceChunk>(transport, `/v1/bases/${segment(baseId)}/sources/${segment(sourceId)}/chunks`, query, options),
    },
    /**
     * Get the extracted text of a source: GET /v1/bases/{baseId}/sources/{sourceId}/content
     * The offsets of citations refer to this text. With `Accept: text/plain`, the response is the text alone. 404 before the source was read, and for a site, whose pages have a text each.
     */
    content: (baseId: string, sourceId: string, options?: RequestOptions) =>
      call<Api.SourceContent>(transport, { method: 'GET', path: `/v1/bases/${segment(baseId)}/sources/${segment(sourceId)}/content` }, options),
    /**
     * Download the original of a source: GET /v1/bases/{baseId}/sources/{sourceId}/original
     * Returns the uploaded or fetched bytes; for a video, the captions as WebVTT. During the first attempt, these are the bytes being processed. 404 before anything was fetched, and for a site, of which only texts are stored.
     */
    original: (baseId: string, sourceId: string, options?: RequestOptions) =>
      transport.receive({ method: 'GET', path: `/v1/bases/${segment(baseId)}/sources/${segment(sourceId)}/original` }, options),
    /**
     * Retry a failed source: POST /v1/bases/{baseId}/sources/{sourceId}/retry
     * Processes the source again. After a replacement that failed, it reads the new URL or file. A cancelled or failed crawl continues: pages that it read less than a day ago are not fetched again. 409 unless its last attempt failed.
     */
    retry: (baseId: string, sourceId: string, options?: RequestOptions) =>
      call<Api.Source>(transport, { method: 'POST', path: `/v1/bases/${segment(baseId)}/sources/${segment(sourceId)}/retry` }, options),
    /**
     * Sync a source with its URL: POST /v1/bases/{baseId}/sources/{sourceId}/sync
     * Fetches the URL of a `url`, `youtube` or `scrape` source again. The status is `processing` meanwhile, and the former content stays searchable until new content is complete. Without changes, only `lastSyncedAt` changes. A failed sync leaves the source `completed`, with `error` and `errorCode`. 409 for uploads, and while the source is processing.
     */
    sync: (baseId: string, sourceId: string, options?: RequestOptions) =>
      call<Api.Source>(transport, { method: 'POST', path: `/v1/bases/${segment(baseId)}/sources/${segment(sourceId)}/sync` }, options),
  },
  /**
   * Preview the chunks of a document: POST /v1/bases/{baseId}/preview
   * Reads and chunks a document like a source of the knowledge base, without storing it: up to 20 MB, within 30 seconds. 422 for an unreadable document; the `code` of the first of `issues` is the `errorCode` that the source would have. 429 if too many previews are in progress.
   */
  preview: (baseId: string, body: Api.CreatePreview, options?: RequestOptions) =>
    call<Api.Preview>(transport, { method: 'POST', path: `/v1/bases/${segment(baseId)}/preview`, reads: true, body }, options),
  reindexes: {
    /**
     * Start a re-index of a knowledge base: POST /v1/bases/{baseId}/reindexes
     * Indexes the stored texts of all sources again, with the given chunking settings and the current embedding model. Searches use the former index until the switch, which you request or which `switchWhenReady` makes automatic. 409 while another re-index is building or ready.
     */
    create: (baseId: string, body: Api.StartReindex, options?: RequestOptions) =>
      call<Api.Reindex>(transport, { method: 'POST', path: `/v1/bases/${segment(baseId)}/reindexes`, body }, options),
    /** List the re-indexes of a knowledge base, newest first: GET /v1/bases/{baseId}/reindexes */
    list: (baseId: string, query?: Api.ReindexesListQuery, options?: RequestOptions) =>
      paged<Api.Reindex>(transport, `/v1/bases/${segment(baseId)}/reindexes`, query, options),
    /** Get a re-index with its progress and comparison: GET /v1/bases/{baseId}/reindexes/{reindexId} */
    get: (baseId: string, reindexId: string, options?: RequestOptions) =>
      call<Api.Reindex>(transport, { method: 'GET', path: `/v1/bases/${segment(baseId)}/reindexes/${segment(reindexId)}` }, options),
    /**
     * Switch searches to the new index: POST /v1/bases/{baseId}/reindexes/{reindexId}/switch
     * Changes all sources and the chunking settings of the knowledge base in one transaction. The former index is kept for seven days, or until the next re-index starts. 409 unless the re-index is ready and, without `force`, if recall or mean reciprocal rank of the evaluation questions falls. 403 `quota_exceeded` if the new index has more chunks than the quota allows.
     */
    switch: (baseId: string, reindexId: string, body: Api.SwitchReindex, options?: RequestOptions) =>
      call<Api.Reindex>(transport, { method: 'POST', path: `/v1/bases/${segment(baseId)}/reindexes/${segment(reindexId)}/switch`, body }, options),
    /**
     * Roll back to the former index: POST /v1/bases/{baseId}/reindexes/{reindexId}/rollback
     * Restores the former index and chunking settings in one transaction. Content replaced since the switch stays as it is. 409 if the former index is no longer kept, 403 `quota_exceeded` if it has more chunks than the quota allows.
     */
    rollback: (baseId: string, reindexId: string, options?: RequestOptions) =>
      call<Api.Reindex>(transport, { method: 'POST', path: `/v1/bases/${segment(baseId)}/reindexes/${segment(reindexId)}/rollback` }, options),
    /**
     * Cancel a re-index: POST /v1/bases/{baseId}/reindexes/{reindexId}/cancel
     * Deletes the new index. 409 unless the re-index is building or ready.
     */
    cancel: (baseId: string, reindexId: string, options?: RequestOptions) =>
      call<Api.Reindex>(transport, { method: 'POST', path: `/v1/bases/${segment(baseId)}/reindexes/${segment(reindexId)}/cancel` }, options),
  },
  /**
   * Search a knowledge base: POST /v1/bases/{baseId}/search
   * Returns the passages that best answer a question, with scores and citations. 409 for a `reindexId` that is not building or ready.
   */
  search: (baseId: string, body: Api.SearchRequest, options?: RequestOptions) =>
    call<Api.SearchReply>(transport, { method: 'POST', path: `/v1/bases/${segment(baseId)}/search`, reads: true, body }, options),
  retrievals: {
    /**
     * List the logged searches of a knowledge base: GET /v1/bases/{baseId}/retrievals
     * Newest first unless `sort` is given. A cursor belongs to its `sort`. Returns searches through every interface. A search is listed about a second after its response, and kept for the number of days in `retrievalLog`. Searches of evaluations are not logged.
     */
    list: (baseId: string, query?: Api.RetrievalsListQuery, options?: RequestOptions) =>
      paged<Api.Retrieval>(transport, `/v1/bases/${segment(baseId)}/retrievals`, query, options),
    /**
     * Get daily search statistics of a knowledge base: GET /v1/bases/{baseId}/retrievals/stats
     * Returns one entry per day, newest first. Days without searches are left out. Searches in the playground of the dashboard do not count.
     */
    stats: (baseId: string, query?: Api.RetrievalsStatsQuery, options?: RequestOptions) =>
      call<{
  /** Days, newest first. */
  data: Api.RetrievalDay[]
}>(transport, { method: 'GET', path: `/v1/bases/${segment(baseId)}/retrievals/stats`, query }, options),
  },
  /**
   * List questions without a good answer: GET /v1/bases/{baseId}/unanswered
   * Returns questions whose searches found no passage or had a `confidence` below 0.5, most frequent first. Questions that differ only in case, white space or punctuation at either end count as one. Searches in the playground of the dashboard are left out.
   */
  unanswered: (baseId: string, query?: Api.RetrievalsUnansweredQuery, options?: RequestOptions) =>
    call<{
  /** Questions, most frequent first. */
  data: Api.UnansweredQuestion[]
}>(transport, { method: 'GET', path: `/v1/bases/${segment(baseId)}/unanswered`, query }, options),
  questions: {
    /**
     * Add an evaluation question: POST /v1/bases/{baseId}/questions
     * A knowledge base has at most 2000 evaluation questions; 409 beyond that.
     */
    create: (baseId: string, body: Api.CreateQuestion, options?: RequestOptions) =>
      call<Api.Question>(transport, { method: 'POST', path: `/v1/bases/${segment(baseId)}/questions`, body }, options),
    /** List the evaluation questions of a knowledge base, newest first: GET /v1/bases/{baseId}/questions */
    list: (baseId: string, query?: Api.QuestionsListQuery, options?: RequestOptions) =>
      paged<Api.Question>(transport, `/v1/bases/${segment(baseId)}/questions`, query, options),
    /**
     * Add up to 500 evaluation questions: POST /v1/bases/{baseId}/questions/bulk
     * Adds all questions, or none if one is invalid.
     */
    bulk: (baseId: string, body: Api.CreateQuestions, options?: RequestOptions) =>
      call<{
  /** New questions in the order of the request. */
  data: Api.Question[]
}>(transport, { method: 'POST', path: `/v1/bases/${segment(baseId)}/questions/bulk`, body }, options),
    /** Get an evaluation question: GET /v1/bases/{baseId}/questions/{questionId} */
    get: (baseId: string, questionId: string, options?: RequestOptions) =>
      call<Api.Question>(transport, { method: 'GET', path: `/v1/bases/${segment(baseId)}/questions/${segment(questionId)}` }, options),
    /**
     * Update an evaluation question: PATCH /v1/bases/{baseId}/questions/{questionId}
     * With another question or expected answer, the next evaluation reports the question as `new`.
     */
    update: (baseId: string, questionId: string, body: Api.UpdateQuestion, options?: RequestOptions) =>
      call<Api.Question>(transport, { method: 'PATCH', path: `/v1/bases/${segment(baseId)}/questions/${segment(questionId)}`, body }, options),
    /**
     * Delete an evaluation question: DELETE /v1/bases/{baseId}/questions/{questionId}
     * Former evaluations keep their results for this question.
     */
    delete: (baseId: string, questionId: string, options?: RequestOptions) =>
      call<void>(transport, { method: 'DELETE', path: `/v1/bases/${segment(baseId)}/questions/${segment(questionId)}` }, options),
  },
  evaluations: {
    /**
     * Start an evaluation: POST /v1/bases/{baseId}/evaluations
     * Searches for every evaluation question of the knowledge base in the background and measures recall and rank. Poll the evaluation until its status is `completed` or `failed`. 409 without a question to search for.
     */
    create: (baseId: string, body: Api.StartEvaluation, options?: RequestOptions) =>
      call<Api.Evaluation>(transport, { method: 'POST', path: `/v1/bases/${segment(baseId)}/evaluations`, body }, options),
    /** List the evaluations of a knowledge base, newest first: GET /v1/bases/{baseId}/evaluations */
    list: (baseId: string, query?: Api.EvaluationsListQuery, options?: RequestOptions) =>
      paged<Api.Evaluation>(transport, `/v1/bases/${segment(baseId)}/evaluations`, query, options),
    /** Get an evaluation with the result of each question: GET /v1/bases/{baseId}/evaluations/{evaluationId} */
    get: (baseId: string, evaluationId: string, options?: RequestOptions) =>
      call<Api.EvaluationWithResults>(transport, { method: 'GET', path: `/v1/bases/${segment(baseId)}/evaluations/${segment(evaluationId)}` }, options),
    /**
     * Delete an evaluation: DELETE /v1/bases/{baseId}/evaluations/{evaluationId}
     * A running evaluation is stopped.
     */
    delete: (baseId: string, evaluationId: string, options?: RequestOptions) =>
      call<void>(transport, { method: 'DELETE', path: `/v1/bases/${segment(baseId)}/evaluations/${segment(evaluationId)}` }, options),
  },
})

export const certificates = (transport: Transport) => ({
  /**
   * Download the links of erased certificates: GET /v1/certificates/erased
   * Lists the certificates whose proposals were erased after the years of `RETAIN_CONTRACTS_YEARS`, by number, without content: canonical JSON with the hash of each file and of the one before it. `groundwork verify` and the page `/verify` take it beside other certificates, to check their chain without the erased ones.
   */
  erased: (options?: RequestOptions) =>
    transport.receive({ method: 'GET', path: '/v1/certificates/erased' }, options),
})

export const companies = (transport: Transport) => ({
  /** List companies, newest first: GET /v1/companies */
  list: (query?: Api.CompaniesListQuery, options?: RequestOptions) =>
    paged<Api.Company>(transport, '/v1/companies', query, options),
  /**
   * Create a company: POST /v1/companies
   * 409 if another company has the `externalId` or one of the `domains`.
   */
  create: (body: Api.CreateCompany, options?: RequestOptions) =>
    call<Api.Company>(transport, { method: 'POST', path: '/v1/companies', body }, options),
  /** Get a company: GET /v1/companies/{id} */
  get: (id: string, options?: RequestOptions) =>
    call<Api.Company>(transport, { method: 'GET', path: `/v1/companies/${segment(id)}` }, options),
  /**
   * Update a company: PATCH /v1/companies/{id}
   * Omitted fields keep their values, and null clears a field. `tags`, `domains` and `address` replace the former ones. 409 if another company has the `externalId` or one of the `domains`. 403 if an agent’s token would replace a value.
   */
  update: (id: string, body: Api.UpdateCompany, options?: RequestOptions) =>
    call<Api.Company>(transport, { method: 'PATCH', path: `/v1/companies/${segment(id)}`, body }, options),
  /**
   * Delete a company: DELETE /v1/companies/{id}
   * The company disappears from all lists at once, and the `companyId` of its contacts becomes null shortly afterwards. It can be restored for 30 days, together with these links.
   */
  delete: (id: string, options?: RequestOptions) =>
    call<void>(transport, { method: 'DELETE', path: `/v1/companies/${segment(id)}` }, options),
  deleted: {
    /**
     * List deleted companies that can be restored: GET /v1/companies/deleted
     * The ones of the last 30 days, the last deleted first; companies that were merged into another one are not among them. Needs the scope to restore them; 403 for an agent’s token.
     */
    list: (query?: Api.CompaniesDeletedQuery, options?: RequestOptions) =>
      paged<Api.DeletedCompany>(transport, '/v1/companies/deleted', query, options),
  },
  /**
   * Restore a deleted company: POST /v1/companies/{id}/restore
   * Possible for 30 days after the deletion. Contacts that lost the company by the deletion, and belong to no other company, get it back shortly afterwards. 409 if another company has taken the `externalId` or one of the `domains` since, or if the company was merged into another one.
   */
  restore: (id: string, options?: RequestOptions) =>
    call<Api.Company>(transport, { method: 'POST', path: `/v1/companies/${segment(id)}/restore` }, options),
  duplicates: {
    /**
     * List pairs of companies that are probably the same, newest first: GET /v1/companies/duplicates
     * Written companies are compared in the background, usually within a second. A pair disappears when one of its companies is changed accordingly, merged or deleted.
     */
    list: (query?: Api.CompanyDuplicatesListQuery, options?: RequestOptions) =>
      paged<Api.CompanyDuplicate>(transport, '/v1/companies/duplicates', query, options),
    /**
     * Count pairs of companies that are probably the same: GET /v1/companies/duplicates/count
     * Counts the pairs that meet the filters of the list.
     */
    count: (query?: Api.CompanyDuplicatesCountQuery, options?: RequestOptions) =>
      call<Api.CompanyDuplicateCount>(transport, { method: 'GET', path: '/v1/companies/duplicates/count', query }, options),
    /**
     * Remember that two companies are not the same: POST /v1/companies/duplicates/{id}/dismiss
     * The pair is not offered again. Idempotent. 403 for an agent’s token.
     */
    dismiss: (id: string, options?: RequestOptions) =>
      call<Api.CompanyDuplicate>(transport, { method: 'POST', path: `/v1/companies/duplicates/${segment(id)}/dismiss` }, options),
  },
  /**
   * Merge companies into one: POST /v1/companies/{id}/merge
   * The company in the path stays, and domains, tags and custom fields of the others are added to its own. The others disappear at once, and their contacts belong to the company shortly afterwards, with a `contact.updated` event for each. Can be undone for 30 days.
   */
  merge: (id: string, body: Api.MergeCompanies, options?: RequestOptions) =>
    call<Api.MergedCompany>(transport, { method: 'POST', path: `/v1/companies/${segment(id)}/merge`, body }, options),
  /**
   * Undo a merge of companies: POST /v1/companies/{id}/unmerge
   * Possible for 30 days after the merge. Both companies get back their values, and shortly afterwards the other one its contacts, unless they belong to another company by then. Changes since the merge stay with the company in the path. 409 if the company with `mergedId` was merged indirectly, or if another company has taken an `externalId` or a domain since.
   */
  unmerge: (id: string, body: Api.UnmergeCompany, options?: RequestOptions) =>
    call<Api.UnmergedCompany>(transport, { method: 'POST', path: `/v1/companies/${segment(id)}/unmerge`, body }, options),
})

export const contactExports = (transport: Transport) => (body?: Api.ExportContacts, options?: RequestOptions) =>
  transport.receive({ method: 'POST', path: '/v1/contact-exports', reads: true, body }, options)

export const contactImports = (transport: Transport) => ({
  /** List imports of contacts, newest first: GET /v1/contact-imports */
  list: (query?: Api.ContactImportsListQuery, options?: RequestOptions) =>
    paged<Api.ContactImport>(transport, '/v1/contact-imports', query, options),
  /**
   * Import contacts from a file: POST /v1/contact-imports
   * Reads an uploaded CSV or XLSX file in the background. Encoding, delimiter, header and the fields of the columns are guessed unless the request names them. Importing the same file again changes nothing.
   */
  create: (body: Api.CreateContactImport, options?: RequestOptions) =>
    call<Api.ContactImport>(transport, { method: 'POST', path: '/v1/contact-imports', body }, options),
  /** Get an import of contacts: GET /v1/contact-imports/{importId} */
  get: (importId: string, options?: RequestOptions) =>
    call<Api.ContactImport>(transport, { method: 'GET', path: `/v1/contact-imports/${segment(importId)}` }, options),
  /**
   * Cancel an import of contacts: POST /v1/contact-imports/{importId}/cancel
   * Contacts that were imported before stay. 409 if the import has ended, 403 with the token of an agent.
   */
  cancel: (importId: string, options?: RequestOptions) =>
    call<Api.ContactImport>(transport, { method: 'POST', path: `/v1/contact-imports/${segment(importId)}/cancel` }, options),
  /**
   * Download the rows of an import that failed: GET /v1/contact-imports/{importId}/errors
   * The columns of the file, then `row` (its number in the file, as a spreadsheet shows it), `field` and `error`, then cells beyond the header. UTF-8 with a byte order mark, separated by semicolons if the file is, otherwise by commas. Correct the rows, and import this file.
   */
  errors: (importId: string, options?: RequestOptions) =>
    transport.receive({ method: 'GET', path: `/v1/contact-imports/${segment(importId)}/errors` }, options),
})

export const contactJobs = (transport: Transport) => ({
  /** List jobs that change many contacts, newest first: GET /v1/contact-jobs */
  list: (query?: Api.ContactJobsListQuery, options?: RequestOptions) =>
    paged<Api.ContactJob>(transport, '/v1/contact-jobs', query, options),
  /** Get a job that changes many contacts: GET /v1/contact-jobs/{jobId} */
  get: (jobId: string, options?: RequestOptions) =>
    call<Api.ContactJob>(transport, { method: 'GET', path: `/v1/contact-jobs/${segment(jobId)}` }, options),
  /**
   * Cancel a job that changes many contacts: POST /v1/contact-jobs/{jobId}/cancel
   * Contacts that were changed before stay changed. 409 if the job has ended.
   */
  cancel: (jobId: string, options?: RequestOptions) =>
    call<Api.ContactJob>(transport, { method: 'POST', path: `/v1/contact-jobs/${segment(jobId)}/cancel` }, options),
  kept: {
    /**
     * List the values that a job has kept: GET /v1/contact-jobs/{jobId}/kept
     * Newest first. They are listed for 30 days after the end of the job.
     */
    list: (jobId: string, query?: Api.ContactJobsKeptQuery, options?: RequestOptions) =>
      paged<Api.KeptValue>(transport, `/v1/contact-jobs/${segment(jobId)}/kept`, query, options),
  },
})

export const contacts = (transport: Transport) => ({
  /**
   * List contacts: GET /v1/contacts
   * Returns a bare array, newest first unless `sort` is given; with `q`, the best match comes first. The URL of the next page is in the `Link` header. A cursor belongs to its `sort`.
   */
  list: (query?: Api.ContactsListQuery, options?: RequestOptions) =>
    paged<Api.Contact>(transport, '/v1/contacts', query, options),
  /**
   * Create a contact: POST /v1/contacts
   * An email address, a phone number, or both `firstName` and `lastName` are required. 409 if another contact has the `externalId`.
   */
  create: (body: Api.CreateContact, options?: RequestOptions) =>
    call<Api.Contact>(transport, { method: 'POST', path: '/v1/contacts', body }, options),
  /** Get a contact: GET /v1/contacts/{id} */
  get: (id: string, options?: RequestOptions) =>
    call<Api.Contact>(transport, { method: 'GET', path: `/v1/contacts/${segment(id)}` }, options),
  /**
   * Update a contact: PATCH /v1/contacts/{id}
   * Omitted fields keep their values, and null clears a field. `tags` replace the former ones. 409 if another contact has the `externalId`.
   */
  update: (id: string, body: Api.UpdateContact, options?: RequestOptions) =>
    call<Api.Contact>(transport, { method: 'PATCH', path: `/v1/contacts/${segment(id)}`, body }, options),
  /**
   * Delete a contact: DELETE /v1/contacts/{id}
   * The contact disappears from all lists at once, and its pending proposals are voided shortly afterwards. It can be restored for 30 days; its proposals stay voided.
   */
  delete: (id: string, options?: RequestOptions) =>
    call<void>(transport, { method: 'DELETE', path: `/v1/contacts/${segment(id)}` }, options),
  /**
   * Erase a contact: POST /v1/contacts/{id}/erase
   * Removes the personal data of the contact everywhere, in one transaction and for good, and returns a receipt. Pending proposals of the contact are voided first; completed ones are kept. Contacts that were merged into it are erased with it; 409 for one of them alone. 403 with a token that is limited to some knowledge bases, since it cannot reach the log of all searches.
   */
  erase: (id: string, body?: Api.EraseContact, options?: RequestOptions) =>
    call<Api.ContactErasure>(transport, { method: 'POST', path: `/v1/contacts/${segment(id)}/erase`, body }, options),
  deleted: {
    /**
     * List deleted contacts that can be restored: GET /v1/contacts/deleted
     * The ones of the last 30 days, the last deleted first; contacts that were merged into another one are not among them. Needs the scope to restore them; 403 for an agent’s token.
     */
    list: (query?: Api.ContactsDeletedQuery, options?: RequestOptions) =>
      paged<Api.DeletedContact>(transport, '/v1/contacts/deleted', query, options),
  },
  /**
   * Restore a deleted contact: POST /v1/contacts/{id}/restore
   * Possible for 30 days after the deletion. 409 if another contact has taken the `externalId` since, or if the contact was merged into another one.
   */
  restore: (id: string, options?: RequestOptions) =>
    call<Api.Contact>(transport, { method: 'POST', path: `/v1/contacts/${segment(id)}/restore` }, options),
  /**
   * Create a contact, or change the one with the same address, number or externalId: POST /v1/contacts/upsert
   * Given fields replace the former ones, and null clears a field. `tags`, `emails` and `phones` are added to the former ones. Parallel requests with the same value create one contact. A contact that has all values already is not changed and emits no event. 409 with `candidates` if several contacts match.
   */
  upsert: (body: Api.UpsertContact, options?: RequestOptions) =>
    call<Api.UpsertedContact>(transport, { method: 'POST', path: '/v1/contacts/upsert', body }, options),
  /**
   * Create or change up to 500 contacts: POST /v1/contacts/batch
   * Does the same as `POST /v1/contacts/upsert` for each of the contacts, in much less time. One that is refused does not fail the others.
   */
  batch: (body: Api.BatchContacts, options?: RequestOptions) =>
    call<{
  /** One result for each contact, in the order of the request. */
  data: Api.BatchResult[]
}>(transport, { method: 'POST', path: '/v1/contacts/batch', body }, options),
  history: {
    /**
     * List the changes of a contact, newest first: GET /v1/contacts/{id}/history
     * Each change names its fields with their former and new values, its author, and the origin of the values.
     */
    list: (id: string, query?: Api.ContactsHistoryQuery, options?: RequestOptions) =>
      paged<Api.ContactChange>(transport, `/v1/contacts/${segment(id)}/history`, query, options),
  },
  /**
   * Confirm values of a contact: POST /v1/contacts/{id}/verify
   * Adds the confirmation to the history, with its author and time. The contact does not change.
   */
  verify: (id: string, body: Api.VerifyContact, options?: RequestOptions) =>
    call<Api.Contact>(transport, { method: 'POST', path: `/v1/contacts/${segment(id)}/verify`, body }, options),
  /**
   * Revert fields of a contact: POST /v1/contacts/{id}/revert
   * Each field gets the value that it had before its latest change in the history. A second request undoes the first one. 409 if a field has no change, if another contact has the former `externalId`, or if the contact changed at the same time.
   */
  revert: (id: string, body: Api.RevertContact, options?: RequestOptions) =>
    call<Api.Contact>(transport, { method: 'POST', path: `/v1/contacts/${segment(id)}/revert`, body }, options),
  /**
   * Identify a person: POST /v1/contacts/identify
   * Finds the contact that calls or writes, by number, address, id and name, with a brief for a model. Changes nothing.
   */
  identify: (body: Api.IdentifyContact, options?: RequestOptions) =>
    call<Api.ContactIdentity>(transport, { method: 'POST', path: '/v1/contacts/identify', reads: true, body }, options),
  /**
   * Search contacts: POST /v1/contacts/search
   * Finds contacts by a text, a filter, or both. 422 for a filter with an unknown key, and for `sort` with `q`.
   */
  search: (body: Api.SearchContacts, options?: RequestOptions) =>
    call<Api.ContactHits>(transport, { method: 'POST', path: '/v1/contacts/search', reads: true, body }, options),
  /**
   * Revert the changes of a token, a user, an import or a bulk change: POST /v1/contacts/revert
   * Gives all values of the author or the import their former ones, in the background. Values that others changed or verified since are kept and listed. Contacts that the author created are deleted; those that others have used stay, with the values of others and an email, phone or full name. Pending suggestions of the author are dismissed. Consents get a new entry with the former state. 403 for an agent’s token. Users without the role `owner` or `admin` can revert their own changes, imports and bulk changes; about others they get 403.
   */
  revertMany: (body: Api.RevertContacts, options?: RequestOptions) =>
    call<Api.ContactJob>(transport, { method: 'POST', path: '/v1/contacts/revert', body }, options),
  /**
   * Change many contacts: POST /v1/contacts/bulk
   * Sets fields, adds and removes tags, records a consent, deletes or restores contacts in the background. The contacts are chosen when the job starts. `POST /v1/contacts/revert` with the id of the job undoes the change. 403 for an agent’s token.
   */
  bulk: (body: Api.BulkChange, options?: RequestOptions) =>
    call<Api.ContactJob>(transport, { method: 'POST', path: '/v1/contacts/bulk', body }, options),
  suggestions: {
    /**
     * List the suggestions for a contact, newest first: GET /v1/contacts/{id}/suggestions
     * An agent suggests a value when it writes a field that a person typed or verified.
     */
    list: (id: string, query?: Api.ContactSuggestionsListQuery, options?: RequestOptions) =>
      paged<Api.ContactSuggestion>(transport, `/v1/contacts/${segment(id)}/suggestions`, query, options),
    /**
     * Accept a suggestion: POST /v1/contacts/{id}/suggestions/{suggestionId}/accept
     * The field gets the suggested value, which counts as verified. 409 if the suggestion was accepted or dismissed, or if another contact has the `externalId`; 403 for an agent’s token.
     */
    accept: (id: string, suggestionId: string, options?: RequestOptions) =>
      call<Api.Contact>(transport, { method: 'POST', path: `/v1/contacts/${segment(id)}/suggestions/${segment(suggestionId)}/accept` }, options),
    /**
     * Dismiss a suggestion: POST /v1/contacts/{id}/suggestions/{suggestionId}/dismiss
     * The same value is not suggested again. 409 if the suggestion was accepted; 403 for an agent’s token.
     */
    dismiss: (id: string, suggestionId: string, options?: RequestOptions) =>
      call<Api.ContactSuggestion>(transport, { method: 'POST', path: `/v1/contacts/${segment(id)}/suggestions/${segment(suggestionId)}/dismiss` }, options),
  },
  tags: {
    /**
     * List the tags of contacts, the most frequent first: GET /v1/contacts/tags
     * Tags that differ only in case count as one.
     */
    list: (query?: Api.ContactTagsListQuery, options?: RequestOptions) =>
      paged<Api.ContactTag>(transport, '/v1/contacts/tags', query, options),
    /**
     * Rename a tag of contacts: POST /v1/contacts/tags/rename
     * Changes contacts with a `contact.updated` event for each: up to 500 in the request, more in a job. 409 if another tag has the name: merge the tags instead.
     */
    rename: (body: Api.RenameTag, options?: RequestOptions) =>
      call<Api.TagChange>(transport, { method: 'POST', path: '/v1/contacts/tags/rename', body }, options),
    /**
     * Merge tags of contacts: POST /v1/contacts/tags/merge
     * Changes contacts with a `contact.updated` event for each: up to 500 in the request, more in a job.
     */
    merge: (body: Api.MergeTags, options?: RequestOptions) =>
      call<Api.TagChange>(transport, { method: 'POST', path: '/v1/contacts/tags/merge', body }, options),
    /**
     * Remove tags from all contacts: POST /v1/contacts/tags/delete
     * Changes contacts with a `contact.updated` event for each: up to 500 in the request, more in a job.
     */
    delete: (body: Api.DeleteTags, options?: RequestOptions) =>
      call<Api.TagChange>(transport, { method: 'POST', path: '/v1/contacts/tags/delete', body }, options),
  },
  duplicates: {
    /**
     * List pairs of contacts that are probably the same person, newest first: GET /v1/contacts/duplicates
     * Written contacts are compared in the background, usually within a second. A pair disappears when one of its contacts is changed accordingly, merged or deleted.
     */
    list: (query?: Api.ContactDuplicatesListQuery, options?: RequestOptions) =>
      paged<Api.ContactDuplicate>(transport, '/v1/contacts/duplicates', query, options),
    /**
     * Count pairs of contacts that are probably the same person: GET /v1/contacts/duplicates/count
     * Counts the pairs that meet the filters of the list.
     */
    count: (query?: Api.ContactDuplicatesCountQuery, options?: RequestOptions) =>
      call<Api.ContactDuplicateCount>(transport, { method: 'GET', path: '/v1/contacts/duplicates/count', query }, options),
    /**
     * Remember that two contacts are not the same person: POST /v1/contacts/duplicates/{id}/dismiss
     * The pair is not offered again. Idempotent. 403 for an agent’s token.
     */
    dismiss: (id: string, options?: RequestOptions) =>
      call<Api.ContactDuplicate>(transport, { method: 'POST', path: `/v1/contacts/duplicates/${segment(id)}/dismiss` }, options),
  },
  /**
   * Merge contacts into one: POST /v1/contacts/{id}/merge
   * The contact in the path is kept. Activities, proposals, consent and the timeline of the others move to it, and their addresses, numbers, tags and custom fields are added. If the contacts differ in consent, the refusal is kept, and `doNotContact` is true if it was true for one of them. From then on, requests with the ids of the others return this contact. Can be undone for 30 days.
   */
  merge: (id: string, body: Api.MergeContacts, options?: RequestOptions) =>
    call<Api.MergedContact>(transport, { method: 'POST', path: `/v1/contacts/${segment(id)}/merge`, body }, options),
  /**
   * Undo a merge of contacts: POST /v1/contacts/{id}/unmerge
   * Possible for 30 days after the merge. Both contacts get back their values and records as they were before. Changes and records since the merge stay with the contact in the path and are listed. 409 if the contact with `mergedId` was merged into another contact first, or if an `externalId` is now used by another contact.
   */
  unmerge: (id: string, body: Api.UnmergeContact, options?: RequestOptions) =>
    call<Api.UnmergedContact>(transport, { method: 'POST', path: `/v1/contacts/${segment(id)}/unmerge`, body }, options),
  activities: {
    /**
     * List the activities of a contact, newest first: GET /v1/contacts/{id}/activities
     * Ordered by `occurredAt`.
     */
    list: (id: string, query?: Api.ActivitiesListQuery, options?: RequestOptions) =>
      paged<Api.Activity>(transport, `/v1/contacts/${segment(id)}/activities`, query, options),
    /**
     * Log an activity: POST /v1/contacts/{id}/activities
     * Calls, emails, messages and meetings set `lastInteractionAt` of the contact. A repeated request with the same `externalId` returns the stored activity unchanged. 409 if the activity with this `externalId` has another type or contact.
     */
    create: (id: string, body: Api.CreateActivity, options?: RequestOptions) =>
      call<Api.Activity>(transport, { method: 'POST', path: `/v1/contacts/${segment(id)}/activities`, body }, options),
    /** Get an activity: GET /v1/contacts/{id}/activities/{activityId} */
    get: (id: string, activityId: string, options?: RequestOptions) =>
      call<Api.Activity>(transport, { method: 'GET', path: `/v1/contacts/${segment(id)}/activities/${segment(activityId)}` }, options),
    /**
     * Update an activity: PATCH /v1/contacts/{id}/activities/{activityId}
     * Omitted fields keep their values, and null clears a field. 409 if another activity has the `externalId`; 403 if an agent’s token did not write the activity.
     */
    update: (id: string, activityId: string, body: Api.UpdateActivity, options?: RequestOptions) =>
      call<Api.Activity>(transport, { method: 'PATCH', path: `/v1/contacts/${segment(id)}/activities/${segment(activityId)}`, body }, options),
    /**
     * Delete an activity: DELETE /v1/contacts/{id}/activities/{activityId}
     * Final. `lastInteractionAt` of the contact becomes the time of the latest activity that is left. 403 if an agent’s token did not write the activity.
     */
    delete: (id: string, activityId: string, options?: RequestOptions) =>
      call<void>(transport, { method: 'DELETE', path: `/v1/contacts/${segment(id)}/activities/${segment(activityId)}` }, options),
  },
  consent: {
    /** Get the present consent of a contact: GET /v1/contacts/{id}/consent */
    get: (id: string, options?: RequestOptions) =>
      call<Api.PresentConsent>(transport, { method: 'GET', path: `/v1/contacts/${segment(id)}/consent` }, options),
    /**
     * Record the consent of a contact: POST /v1/contacts/{id}/consent
     * Adds an entry to the history and returns the contact. `consent` of the contact has the state with the latest `at` for each channel. While `email` is `denied`, the service sends no email to the contact. An entry equal to the latest one of the channel is not added again. 403 if an agent’s token would replace a denial that others recorded.
     */
    create: (id: string, body: Api.RecordConsent, options?: RequestOptions) =>
      call<Api.Contact>(transport, { method: 'POST', path: `/v1/contacts/${segment(id)}/consent`, body }, options),
    history: {
      /** List the history of the consent of a contact, newest entry first: GET /v1/contacts/{id}/consent/history */
      list: (id: string, query?: Api.ConsentHistoryQuery, options?: RequestOptions) =>
        paged<Api.ConsentChange>(transport, `/v1/contacts/${segment(id)}/consent/history`, query, options),
    },
  },
  /**
   * Export everything about a contact: GET /v1/contacts/{id}/export
   * Returns all records about a person in one document, for a request for access. A record names the contact if it contains an address, a phone number, the full name, the externalId or the id, present or former. The token needs `contacts:read`, `proposals:read`, `sources:read`, `events:read` and `retrievals:read`, and must not be limited to some knowledge bases; otherwise 403.
   */
  export: (id: string, options?: RequestOptions) =>
    call<Api.ContactExport>(transport, { method: 'GET', path: `/v1/contacts/${segment(id)}/export` }, options),
  timeline: {
    /**
     * List the timeline of a contact, newest first: GET /v1/contacts/{id}/timeline
     * Events of the contact, its activities and its proposals, with their authors. The timeline lasts as long as the contact. Once an event has left the event log, after 90 days by default, its entry has no texts but the title of a proposal.
     */
    list: (id: string, query?: Api.EventsOfContactQuery, options?: RequestOptions) =>
      paged<Api.TimelineEntry>(transport, `/v1/contacts/${segment(id)}/timeline`, query, options),
  },
})

export const contactViews = (transport: Transport) => ({
  /**
   * List views of contacts, newest first: GET /v1/contact-views
   * Returns shared views and those of the signed-in user.
   */
  list: (query?: Api.ContactViewsListQuery, options?: RequestOptions) =>
    paged<Api.ContactView>(transport, '/v1/contact-views', query, options),
  /**
   * Create a view of contacts: POST /v1/contact-views
   * 409 if the organization has 200 views.
   */
  create: (body: Api.CreateContactView, options?: RequestOptions) =>
    call<Api.ContactView>(transport, { method: 'POST', path: '/v1/contact-views', body }, options),
  /** Get a view of contacts: GET /v1/contact-views/{id} */
  get: (id: string, options?: RequestOptions) =>
    call<Api.ContactView>(transport, { method: 'GET', path: `/v1/contact-views/${segment(id)}` }, options),
  /**
   * Update a view of contacts: PATCH /v1/contact-views/{id}
   * A shared view is changed by its owner, by owners and admins of the organization, and by tokens; 403 for other members.
   */
  update: (id: string, body: Api.UpdateContactView, options?: RequestOptions) =>
    call<Api.ContactView>(transport, { method: 'PATCH', path: `/v1/contact-views/${segment(id)}`, body }, options),
  /**
   * Delete a view of contacts: DELETE /v1/contact-views/{id}
   * A shared view is deleted by its owner, by owners and admins of the organization, and by tokens; 403 for other members.
   */
  delete: (id: string, options?: RequestOptions) =>
    call<void>(transport, { method: 'DELETE', path: `/v1/contact-views/${segment(id)}` }, options),
})

export const customFields = (transport: Transport) => ({
  /** List custom fields, newest first: GET /v1/custom-fields */
  list: (query?: Api.CustomFieldsListQuery, options?: RequestOptions) =>
    paged<Api.CustomField>(transport, '/v1/custom-fields', query, options),
  /**
   * Create a custom field: POST /v1/custom-fields
   * 409 if another field of the entity has the name, or the organization has 200 fields, archived ones included.
   */
  create: (body: Api.CreateCustomField, options?: RequestOptions) =>
    call<Api.CustomField>(transport, { method: 'POST', path: '/v1/custom-fields', body }, options),
  /** Get a custom field: GET /v1/custom-fields/{id} */
  get: (id: string, options?: RequestOptions) =>
    call<Api.CustomField>(transport, { method: 'GET', path: `/v1/custom-fields/${segment(id)}` }, options),
  /**
   * Update a custom field: PATCH /v1/custom-fields/{id}
   * Changes the name or the options. 409 if another field of the entity has the name, or if records have the value of an option that `options` leave out.
   */
  update: (id: string, body: Api.UpdateCustomField, options?: RequestOptions) =>
    call<Api.CustomField>(transport, { method: 'PATCH', path: `/v1/custom-fields/${segment(id)}`, body }, options),
  /**
   * Archive a custom field: DELETE /v1/custom-fields/{id}
   * Records keep their values, which can be cleared but not changed. The field can be restored at any time.
   */
  delete: (id: string, options?: RequestOptions) =>
    call<void>(transport, { method: 'DELETE', path: `/v1/custom-fields/${segment(id)}` }, options),
  /**
   * Restore an archived custom field: POST /v1/custom-fields/{id}/restore
   * 409 if another field of the entity has taken the name since.
   */
  restore: (id: string, options?: RequestOptions) =>
    call<Api.CustomField>(transport, { method: 'POST', path: `/v1/custom-fields/${segment(id)}/restore` }, options),
  /**
   * Change the type of a custom field: POST /v1/custom-fields/{id}/convert
   * Converts the values of all records in one transaction. 409 if a value would be lost; `dryRun` lists such values. Converting neither changes `updatedAt` of the records nor emits their events.
   */
  convert: (id: string, body: Api.ConvertCustomField, options?: RequestOptions) =>
    call<Api.CustomFieldConversion>(transport, { method: 'POST', path: `/v1/custom-fields/${segment(id)}/convert`, body }, options),
})

export const events = (transport: Transport) => ({
  /** Get an event: GET /v1/events/{eventId} */
  get: (eventId: string, options?: RequestOptions) =>
    call<Api.Event>(transport, { method: 'GET', path: `/v1/events/${segment(eventId)}` }, options),
  /**
   * List events, newest first: GET /v1/events
   * Events are kept for 90 days by default. Tokens limited to certain knowledge bases see no events of others.
   */
  list: (query?: Api.EventsListQuery, options?: RequestOptions) =>
    paged<Api.Event>(transport, '/v1/events', query, options),
})

export const invitations = (transport: Transport) => ({
  /**
   * Invite a person: POST /v1/invitations
   * Sends a message with a link that works once, for 7 days. 409 if the person is a member or has an open invitation; 403 for a role above that of the caller.
   */
  create: (body: Api.CreateInvitation, options?: RequestOptions) =>
    call<Api.Invitation>(transport, { method: 'POST', path: '/v1/invitations', body }, options),
  /**
   * List open invitations, newest first: GET /v1/invitations
   * Includes expired invitations, which can be sent again.
   */
  list: (query?: Api.InvitationsListQuery, options?: RequestOptions) =>
    paged<Api.Invitation>(transport, '/v1/invitations', query, options),
  /** Get an open invitation: GET /v1/invitations/{invitationId} */
  get: (invitationId: string, options?: RequestOptions) =>
    call<Api.Invitation>(transport, { method: 'GET', path: `/v1/invitations/${segment(invitationId)}` }, options),
  /** Revoke an invitation: DELETE /v1/invitations/{invitationId} */
  delete: (invitationId: string, options?: RequestOptions) =>
    call<void>(transport, { method: 'DELETE', path: `/v1/invitations/${segment(invitationId)}` }, options),
  /**
   * Send an invitation again: POST /v1/invitations/{invitationId}/resend
   * Sends a new link that works for 7 days. The former link stops working.
   */
  resend: (invitationId: string, options?: RequestOptions) =>
    call<Api.Invitation>(transport, { method: 'POST', path: `/v1/invitations/${segment(invitationId)}/resend` }, options),
  /**
   * Read an invitation: POST /v1/invitations/look
   * Returns the organization and the role for the token of an invitation link. 404 for an invitation that was accepted, revoked or has expired.
   */
  look: (body: Api.LookAtInvitation, options?: RequestOptions) =>
    call<Api.InvitationLook>(transport, { method: 'POST', path: '/v1/invitations/look', reads: true, body }, options),
  /**
   * Accept an invitation: POST /v1/invitations/accept
   * Without a user for the email address, `name` and `password` create one and sign in. With one, the request needs the session of that user: 401 without a session, 403 with the session of another user.
   */
  accept: (body: Api.AcceptInvitation, options?: RequestOptions) =>
    call<Api.Me>(transport, { method: 'POST', path: '/v1/invitations/accept', body }, options),
})

export const mails = (transport: Transport) => ({
  /**
   * List messages, newest first: GET /v1/mails
   * Returns messages with their states. Without `SMTP_URL`, they contain their text with invitation links, so reading them needs the scope for inviting.
   */
  list: (query?: Api.MailsListQuery, options?: RequestOptions) =>
    paged<Api.Mail>(transport, '/v1/mails', query, options),
  /** Get a message: GET /v1/mails/{mailId} */
  get: (mailId: string, options?: RequestOptions) =>
    call<Api.Mail>(transport, { method: 'GET', path: `/v1/mails/${segment(mailId)}` }, options),
})

export const me = (transport: Transport) => ({
  /**
   * Get the signed-in user: GET /v1/me
   * Returns the user of the session with all organizations of that user.
   */
  get: (options?: RequestOptions) =>
    call<Api.Me>(transport, { method: 'GET', path: '/v1/me' }, options),
})

export const members = (transport: Transport) => ({
  /** List members, newest first: GET /v1/members */
  list: (query?: Api.MembersListQuery, options?: RequestOptions) =>
    paged<Api.Member>(transport, '/v1/members', query, options),
  /**
   * Change the role of a member: PATCH /v1/members/{userId}
   * Only owners can appoint and demote owners; 403 otherwise. The last owner cannot be demoted: 409.
   */
  update: (userId: string, body: Api.UpdateMember, options?: RequestOptions) =>
    call<Api.Member>(transport, { method: 'PATCH', path: `/v1/members/${segment(userId)}`, body }, options),
  /**
   * Remove a member or leave the organization: DELETE /v1/members/{userId}
   * Every member can leave. Removing others needs the scope `members:write`, and only owners can remove owners; 403 otherwise. The last owner cannot be removed: 409. API tokens created by the member keep working.
   */
  delete: (userId: string, options?: RequestOptions) =>
    call<void>(transport, { method: 'DELETE', path: `/v1/members/${segment(userId)}` }, options),
})

export const organization = (transport: Transport) => ({
  /**
   * Get the current organization: GET /v1/organization
   * Returns the organization of the token, or the one that the session acts for.
   */
  get: (options?: RequestOptions) =>
    call<Api.Organization>(transport, { method: 'GET', path: '/v1/organization' }, options),
  /**
   * Update the current organization: PATCH /v1/organization
   * A new `slug` changes the URLs of its dashboard pages. 409 if another organization has the `slug`.
   */
  update: (body: Api.UpdateOrganization, options?: RequestOptions) =>
    call<Api.Organization>(transport, { method: 'PATCH', path: '/v1/organization', body }, options),
  /**
   * Download the logo: GET /v1/organization/logo
   * 404 if the organization has no logo.
   */
  logo: (options?: RequestOptions) =>
    transport.receive({ method: 'GET', path: '/v1/organization/logo' }, options),
})

export const organizations = (transport: Transport) => ({
  /**
   * Create an organization: POST /v1/organizations
   * The signed-in user becomes its owner. 409 if the user already belongs to the maximum number of organizations.
   */
  create: (body: Api.CreateOrganization, options?: RequestOptions) =>
    call<Api.OwnOrganization>(transport, { method: 'POST', path: '/v1/organizations', body }, options),
})

export const overview = (transport: Transport) => ({
  /**
   * Get the overview of the organization: GET /v1/overview
   * Returns items that need attention, search statistics, the value of open and recently accepted proposals, and the number of records. Each part needs the scope for listing its records and is null without it. Tokens limited to certain knowledge bases see only those.
   */
  get: (options?: RequestOptions) =>
    call<Api.Overview>(transport, { method: 'GET', path: '/v1/overview' }, options),
})

export const proposalListViews = (transport: Transport) => ({
  /**
   * List views of proposals, newest first: GET /v1/proposal-list-views
   * Returns shared views and those of the signed-in user.
   */
  list: (query?: Api.ProposalListViewsListQuery, options?: RequestOptions) =>
    paged<Api.ProposalListView>(transport, '/v1/proposal-list-views', query, options),
  /**
   * Create a view of proposals: POST /v1/proposal-list-views
   * 409 if the organization has 200 views.
   */
  create: (body: Api.CreateProposalListView, options?: RequestOptions) =>
    call<Api.ProposalListView>(transport, { method: 'POST', path: '/v1/proposal-list-views', body }, options),
  /** Get a view of proposals: GET /v1/proposal-list-views/{id} */
  get: (id: string, options?: RequestOptions) =>
    call<Api.ProposalListView>(transport, { method: 'GET', path: `/v1/proposal-list-views/${segment(id)}` }, options),
  /**
   * Update a view of proposals: PATCH /v1/proposal-list-views/{id}
   * A shared view is changed by its owner, by owners and admins of the organization, and by tokens; 403 for other members.
   */
  update: (id: string, body: Api.UpdateProposalListView, options?: RequestOptions) =>
    call<Api.ProposalListView>(transport, { method: 'PATCH', path: `/v1/proposal-list-views/${segment(id)}`, body }, options),
  /**
   * Delete a view of proposals: DELETE /v1/proposal-list-views/{id}
   * A shared view is deleted by its owner, by owners and admins of the organization, and by tokens; 403 for other members.
   */
  delete: (id: string, options?: RequestOptions) =>
    call<void>(transport, { method: 'DELETE', path: `/v1/proposal-list-views/${segment(id)}` }, options),
})

export const proposals = (transport: Transport) => ({
  views: {
    /**
     * List the openings of a proposal: GET /v1/proposals/{id}/views
     * Openings of the page while the proposal was pending, the latest first opening first. Repeated openings with the same browser are one record. At most 100 browsers of each kind are recorded for each recipient.
     */
    list: (id: string, query?: Api.ProposalsViewsQuery, options?: RequestOptions) =>
      paged<Api.ProposalView>(transport, `/v1/proposals/${segment(id)}/views`, query, options),
  },
  /**
   * Create a proposal: POST /v1/proposals
   * Sends the proposal at once unless `draft` is true. 409 if another proposal has the `externalId`.
   */
  create: (body: Api.CreateProposal, options?: RequestOptions) =>
    call<Api.Proposal>(transport, { method: 'POST', path: '/v1/proposals', body }, options),
  /**
   * List proposals: GET /v1/proposals
   * Newest first unless `sort` is given. A cursor belongs to its `sort`.
   */
  list: (query?: Api.ProposalsListQuery, options?: RequestOptions) =>
    paged<Api.Proposal>(transport, '/v1/proposals', query, options),
  /**
   * Export proposals as CSV: GET /v1/proposals/export
   * Streams all proposals that meet the filters of the list. Columns have the names of fields of the record; `recipients` and `emails` are separated by semicolons. Text that a spreadsheet would interpret as a formula begins with an apostrophe. Links to pages are left out. Later versions can add columns.
   */
  export: (query?: Api.ProposalsExportQuery, options?: RequestOptions) =>
    transport.receive({ method: 'GET', path: '/v1/proposals/export', query }, options),
  /**
   * Sum proposals by status and currency: GET /v1/proposals/totals
   * Counts and sums the proposals that meet the filters of the list.
   */
  totals: (query?: Api.ProposalsTotalsQuery, options?: RequestOptions) =>
    call<Api.ProposalTotals>(transport, { method: 'GET', path: '/v1/proposals/totals', query }, options),
  /**
   * Preview a proposal: POST /v1/proposals/preview
   * Returns totals, content hash, warnings and a sentence to read aloud for the body of a new proposal, and stores nothing. 422 if creating it would answer 422.
   */
  preview: (body: Api.CreateProposal, options?: RequestOptions) =>
    call<Api.ProposalPreview>(transport, { method: 'POST', path: '/v1/proposals/preview', reads: true, body }, options),
  /**
   * Preview the page of a proposal: POST /v1/proposals/preview-page
   * Returns the page that the first signer of a proposal with this content would see, and stores nothing. Takes an incomplete proposal: without `items` and `totalAmount`, the total is 0.00. The logo, images and attached PDFs are left out.
   */
  previewPage: (body: Api.PreviewProposalPage, options?: RequestOptions) =>
    call<Api.ProposalPagePreview>(transport, { method: 'POST', path: '/v1/proposals/preview-page', reads: true, body }, options),
  /** Get a proposal: GET /v1/proposals/{id} */
  get: (id: string, options?: RequestOptions) =>
    call<Api.Proposal>(transport, { method: 'GET', path: `/v1/proposals/${segment(id)}` }, options),
  /**
   * Update a draft: PATCH /v1/proposals/{id}
   * 409 if the proposal is not a draft, or if another proposal has the `externalId`.
   */
  update: (id: string, body: Api.UpdateProposal, options?: RequestOptions) =>
    call<Api.Proposal>(transport, { method: 'PATCH', path: `/v1/proposals/${segment(id)}`, body }, options),
  /**
   * Delete a draft: DELETE /v1/proposals/{id}
   * 409 if the proposal is not a draft. Sent proposals can be voided instead.
   */
  delete: (id: string, options?: RequestOptions) =>
    call<void>(transport, { method: 'DELETE', path: `/v1/proposals/${segment(id)}` }, options),
  /**
   * Download a proposal as PDF: GET /v1/proposals/{id}/pdf
   * A tagged PDF in the language of the first signer, with the offer as canonical JSON in the embedded file `proposal.json`. A draft, and a proposal that was declined, has expired or was voided, is marked as such. The same proposal has the same bytes. 503 if the PDF could not be rendered.
   */
  pdf: (id: string, options?: RequestOptions) =>
    transport.receive({ method: 'GET', path: `/v1/proposals/${segment(id)}/pdf` }, options),
  files: {
    /**
     * Download a file of a proposal: GET /v1/proposals/{id}/files/{sha256}
     * Returns the file of a section. `ETag` is its SHA-256.
     */
    get: (id: string, sha256: string, options?: RequestOptions) =>
      transport.receive({ method: 'GET', path: `/v1/proposals/${segment(id)}/files/${segment(sha256)}` }, options),
  },
  /**
   * Send a draft: POST /v1/proposals/{id}/send
   * Assigns the number and makes the proposal `pending`. A revision then replaces the proposal that it revises. 409 if it is not a draft, if its contact was deleted, if `expiresAt` has passed, or if the revised proposal was accepted or voided. 412 if its content is not the expected one.
   */
  send: (id: string, body?: Api.SendProposal, options?: RequestOptions) =>
    call<Api.Proposal>(transport, { method: 'POST', path: `/v1/proposals/${segment(id)}/send`, body }, options),
  /**
   * Duplicate a proposal: POST /v1/proposals/{id}/duplicate
   * Creates a draft with the content and the recipients of a proposal in any state, without its `externalId` and without an `expiresAt` that has passed. 409 if its contact was deleted.
   */
  duplicate: (id: string, options?: RequestOptions) =>
    call<Api.Proposal>(transport, { method: 'POST', path: `/v1/proposals/${segment(id)}/duplicate` }, options),
  /**
   * Revise a pending, expired or declined proposal: POST /v1/proposals/{id}/revise
   * Creates a draft as `duplicate` does, with `supersedes`. The proposal stays as it is until you send the draft: then a pending proposal becomes `voided`, `supersededBy` names the new version, and the page of the proposal leads its recipients there. 409 in any other state, while another draft revises the proposal, if a sent one has replaced it, or if its contact was deleted.
   */
  revise: (id: string, options?: RequestOptions) =>
    call<Api.Proposal>(transport, { method: 'POST', path: `/v1/proposals/${segment(id)}/revise` }, options),
  /**
   * Void a draft or a pending proposal: POST /v1/proposals/{id}/void
   * The proposal stays readable with its reason. 409 in any other state.
   */
  void: (id: string, body: Api.VoidProposal, options?: RequestOptions) =>
    call<Api.Proposal>(transport, { method: 'POST', path: `/v1/proposals/${segment(id)}/void`, body }, options),
  /**
   * Sign a proposal for the organization: POST /v1/proposals/{id}/countersign
   * Completes a pending proposal with `counterSignature` after all signers have signed. The certificate records this sentence with the name: `I sign this proposal for the organization, for a total of {totalAmount} {currency}.` It is in the language of the first signer or else of the organization, if that is German, French or Spanish. 409 in any other state, if a signer has not signed yet, or if the proposal has no counter-signature.
   */
  countersign: (id: string, body: Api.CountersignProposal, options?: RequestOptions) =>
    call<Api.Proposal>(transport, { method: 'POST', path: `/v1/proposals/${segment(id)}/countersign`, body }, options),
  questions: {
    /**
     * List the questions about a proposal: GET /v1/proposals/{id}/questions
     * Returns the questions of all recipients in the order in which they were asked, at most 100.
     */
    list: (id: string, options?: RequestOptions) =>
      call<{
  /** Questions with their answers, the oldest first. */
  data: Api.ProposalQuestion[]
}>(transport, { method: 'GET', path: `/v1/proposals/${segment(id)}/questions` }, options),
    /**
     * Answer a question: POST /v1/proposals/{id}/questions/{questionId}/answer
     * The recipient receives the answer by email and reads it on the page of the proposal. 409 if the question was answered before.
     */
    answer: (id: string, questionId: string, body: Api.AnswerQuestion, options?: RequestOptions) =>
      call<Api.ProposalQuestion>(transport, { method: 'POST', path: `/v1/proposals/${segment(id)}/questions/${segment(questionId)}/answer`, body }, options),
  },
  /**
   * Download the certificate of a completed proposal: GET /v1/proposals/{id}/certificate
   * Proves the acceptance, its content and its time: canonical JSON (RFC 8785) with an Ed25519 signature under one of the public keys at `/.well-known/groundwork-keys.json`. `groundwork verify` and the page `/verify` check it, and docs/certificates.md specifies it. The same bytes each time, so their SHA-256 is the hash that the next certificate of the organization contains. 404 before the proposal is completed, and after it was erased with its contact and the years of `RETAIN_CONTRACTS_YEARS`.
   */
  certificate: (id: string, options?: RequestOptions) =>
    transport.receive({ method: 'GET', path: `/v1/proposals/${segment(id)}/certificate` }, options),
})

export const requests = (transport: Transport) => ({
  /**
   * List API requests, newest first: GET /v1/requests
   * Every authenticated request of the last 7 days, also to the integrations, except those to this log. A request appears about a second after its response. Under extreme load some are left out. Tokens limited to certain knowledge bases get 403.
   */
  list: (query?: Api.RequestsListQuery, options?: RequestOptions) =>
    paged<Api.ApiRequest>(transport, '/v1/requests', query, options),
  /**
   * Get an API request: GET /v1/requests/{requestId}
   * Tokens limited to certain knowledge bases get 403.
   */
  get: (requestId: string, options?: RequestOptions) =>
    call<Api.ApiRequest>(transport, { method: 'GET', path: `/v1/requests/${segment(requestId)}` }, options),
})

export const search = (transport: Transport) => (body: Api.SearchBasesRequest, options?: RequestOptions) =>
  call<Api.SearchReply>(transport, { method: 'POST', path: '/v1/search', reads: true, body }, options)

export const setup = (transport: Transport) => ({
  /** Get the setup state and the sign-in methods: GET /v1/setup */
  get: (options?: RequestOptions) =>
    call<Api.SetupNeeded>(transport, { method: 'GET', path: '/v1/setup' }, options),
  /**
   * Create the first user and sign in: POST /v1/setup
   * Needs the token of the setup URL that the program prints at its start while no user exists; only the newest one works. The user becomes the owner of the organization: an existing one with this name that was created on the command line, or a new one. The response sets a session cookie. 404 for a wrong token, 409 once a user exists.
   */
  create: (body: Api.SetUp, options?: RequestOptions) =>
    call<Api.Me>(transport, { method: 'POST', path: '/v1/setup', body }, options),
})

export const sources = (transport: Transport) => ({
  /**
   * List the sources of all knowledge bases: GET /v1/sources
   * Newest first. A token that is limited to some knowledge bases gets only their sources.
   */
  list: (query?: Api.SourcesFindQuery, options?: RequestOptions) =>
    paged<Api.Source>(transport, '/v1/sources', query, options),
})

export const sourceViews = (transport: Transport) => ({
  /**
   * List views of sources, newest first: GET /v1/source-views
   * Returns shared views and those of the signed-in user.
   */
  list: (query?: Api.SourceViewsListQuery, options?: RequestOptions) =>
    paged<Api.SourceView>(transport, '/v1/source-views', query, options),
  /**
   * Create a view of sources: POST /v1/source-views
   * 409 if the organization has 200 views.
   */
  create: (body: Api.CreateSourceView, options?: RequestOptions) =>
    call<Api.SourceView>(transport, { method: 'POST', path: '/v1/source-views', body }, options),
  /** Get a view of sources: GET /v1/source-views/{id} */
  get: (id: string, options?: RequestOptions) =>
    call<Api.SourceView>(transport, { method: 'GET', path: `/v1/source-views/${segment(id)}` }, options),
  /**
   * Update a view of sources: PATCH /v1/source-views/{id}
   * A shared view is changed by its owner, by owners and admins of the organization, and by tokens; 403 for other members.
   */
  update: (id: string, body: Api.UpdateSourceView, options?: RequestOptions) =>
    call<Api.SourceView>(transport, { method: 'PATCH', path: `/v1/source-views/${segment(id)}`, body }, options),
  /**
   * Delete a view of sources: DELETE /v1/source-views/{id}
   * A shared view is deleted by its owner, by owners and admins of the organization, and by tokens; 403 for other members.
   */
  delete: (id: string, options?: RequestOptions) =>
    call<void>(transport, { method: 'DELETE', path: `/v1/source-views/${segment(id)}` }, options),
})

export const system = (transport: Transport) => ({
  /** Get the configuration of the service: GET /v1/system */
  get: (options?: RequestOptions) =>
    call<Api.System>(transport, { method: 'GET', path: '/v1/system' }, options),
})

export const tasks = (transport: Transport) => ({
  /**
   * List open tasks: GET /v1/tasks
   * Open tasks of the organization by due time. Those without a due time come last.
   */
  list: (query?: Api.TasksListQuery, options?: RequestOptions) =>
    paged<Api.Task>(transport, '/v1/tasks', query, options),
})

export const tokens = (transport: Transport) => ({
  /**
   * Create an API token: POST /v1/tokens
   * The secret is only in this response. The secret of a publishable token begins with `gwp_`, that of others with `gw_`. A token can only grant its own permissions: 403 for scopes, knowledge bases or an expiry beyond those of the caller.
   */
  create: (body: Api.CreateApiToken, options?: RequestOptions) =>
    call<Api.ApiTokenWithSecret>(transport, { method: 'POST', path: '/v1/tokens', body }, options),
  /**
   * List API tokens, newest first: GET /v1/tokens
   * Includes revoked and expired tokens.
   */
  list: (query?: Api.TokensListQuery, options?: RequestOptions) =>
    paged<Api.ApiToken>(transport, '/v1/tokens', query, options),
  /** Get an API token: GET /v1/tokens/{tokenId} */
  get: (tokenId: string, options?: RequestOptions) =>
    call<Api.ApiToken>(transport, { method: 'GET', path: `/v1/tokens/${segment(tokenId)}` }, options),
  /** Rename an API token: PATCH /v1/tokens/{tokenId} */
  update: (tokenId: string, body: Api.UpdateApiToken, options?: RequestOptions) =>
    call<Api.ApiToken>(transport, { method: 'PATCH', path: `/v1/tokens/${segment(tokenId)}`, body }, options),
  /**
   * Revoke an API token: DELETE /v1/tokens/{tokenId}
   * Permanent. Every process rejects the token within a second. Its record stays in the list.
   */
  delete: (tokenId: string, options?: RequestOptions) =>
    call<void>(transport, { method: 'DELETE', path: `/v1/tokens/${segment(tokenId)}` }, options),
  /**
   * Rotate the secret of an API token: POST /v1/tokens/{tokenId}/rotate
   * Replaces the secret and keeps everything else. The new secret is only in this response. 403 for a token with more permissions than the caller, 409 for a revoked or expired token.
   */
  rotate: (tokenId: string, body: Api.RotateApiToken, options?: RequestOptions) =>
    call<Api.ApiTokenWithSecret>(transport, { method: 'POST', path: `/v1/tokens/${segment(tokenId)}/rotate`, body }, options),
  /**
   * Revoke a leaked API token by its secret: POST /v1/tokens/revoke
   * Needs no credentials besides the secret. The response is the same whether or not the secret exists. A former secret that still works after a rotation ends without revoking its token.
   */
  revoke: (body: Api.RevokePresentedToken, options?: RequestOptions) =>
    call<void>(transport, { method: 'POST', path: '/v1/tokens/revoke', body }, options),
})

export const tools = (transport: Transport) => ({
  /**
   * List the tools for agents: GET /v1/tools
   * Returns the definitions that the scopes of the token allow, in the form that the model of the agent expects.
   */
  get: (query?: Api.ToolsListQuery, options?: RequestOptions) =>
    call<{
  /** The definitions, in the format of the request. */
  data: (Record<string, unknown>)[]
}>(transport, { method: 'GET', path: '/v1/tools', query }, options),
  /**
   * Run the tool identify_contact: POST /v1/tools/identify_contact
   * Identifies a person, such as a caller. At least one argument is required.
   */
  identifyContact: (body: Api.IdentifyContactArguments, options?: RequestOptions) =>
    call<Api.IdentifyContactResult>(transport, { method: 'POST', path: '/v1/tools/identify_contact', reads: true, body }, options),
  /**
   * Run the tool find_contact: POST /v1/tools/find_contact
   * Finds contacts by words of their name, email address or phone number.
   */
  findContact: (body: Api.FindContactArguments, options?: RequestOptions) =>
    call<Api.FindContactResult>(transport, { method: 'POST', path: '/v1/tools/find_contact', reads: true, body }, options),
  /**
   * Run the tool get_contact: POST /v1/tools/get_contact
   * Reads a contact with its latest activities and its next tasks.
   */
  getContact: (body: Api.GetContactArguments, options?: RequestOptions) =>
    call<Api.GetContactResult>(transport, { method: 'POST', path: '/v1/tools/get_contact', reads: true, body }, options),
  /**
   * Run the tool save_contact: POST /v1/tools/save_contact
   * Changes the contact with `contactId`, or the only one with this phone number, email address or `externalId`, or creates one. Arguments that are null or left out change nothing. 409 if several contacts match.
   */
  saveContact: (body: Api.SaveContactArguments, options?: RequestOptions) =>
    call<Api.SaveContactResult>(transport, { method: 'POST', path: '/v1/tools/save_contact', body }, options),
  /**
   * Run the tool log_activity: POST /v1/tools/log_activity
   * Logs a note, call, email, message or meeting. 409 if the `externalId` belongs to another type or contact.
   */
  logActivity: (body: Api.LogActivityArguments, options?: RequestOptions) =>
    call<Api.LogActivityResult>(transport, { method: 'POST', path: '/v1/tools/log_activity', body }, options),
  /**
   * Run the tool add_task: POST /v1/tools/add_task
   * Adds a task about a contact. 409 if the `externalId` belongs to another type or contact.
   */
  addTask: (body: Api.AddTaskArguments, options?: RequestOptions) =>
    call<Api.AddTaskResult>(transport, { method: 'POST', path: '/v1/tools/add_task', body }, options),
})

export const uploads = (transport: Transport) => ({
  /**
   * Create an upload: POST /v1/uploads
   * Send the bytes to `uploadUrl` next, then give the `storageUrl` to a new source, to an image or attached PDF of a proposal, or to an import of contacts. Tokens need `sources:write`, `proposals:write` or `contacts:write`. 403 `quota_exceeded` if `sizeBytes` exceeds the rest of the storage quota.
   */
  create: (body: Api.CreateUpload, options?: RequestOptions) =>
    call<Api.Upload>(transport, { method: 'POST', path: '/v1/uploads', body }, options),
  /**
   * Get the state of an upload: GET /v1/uploads/{uploadId}
   * Does not repeat `uploadUrl`. 404 for an expired upload without a source.
   */
  get: (uploadId: string, options?: RequestOptions) =>
    call<Api.UploadStatus>(transport, { method: 'GET', path: `/v1/uploads/${segment(uploadId)}` }, options),
  /**
   * Resume an upload in parts: POST /v1/uploads/{uploadId}/resume
   * Returns the parts that have not been received, with new URLs. 404 for an expired upload; 409 for an upload without parts, and for a complete one.
   */
  resume: (uploadId: string, options?: RequestOptions) =>
    call<Api.UploadParts>(transport, { method: 'POST', path: `/v1/uploads/${segment(uploadId)}/resume` }, options),
  /**
   * Complete an upload in parts: POST /v1/uploads/{uploadId}/complete
   * Joins the parts to a file. May be repeated. 404 for an expired upload, 409 if parts are missing.
   */
  complete: (uploadId: string, options?: RequestOptions) =>
    call<Api.UploadStatus>(transport, { method: 'POST', path: `/v1/uploads/${segment(uploadId)}/complete` }, options),
})

export const webhooks = (transport: Transport) => ({
  /**
   * Create a webhook endpoint: POST /v1/webhooks
   * The secret is only in this response. The token also needs the scope `events:read`. An organization has at most 50 endpoints; 409 beyond that. Tokens limited to certain knowledge bases get 403, because an endpoint receives the events of the whole organization.
   */
  create: (body: Api.CreateWebhook, options?: RequestOptions) =>
    call<Api.WebhookEndpointWithSecret>(transport, { method: 'POST', path: '/v1/webhooks', body }, options),
  /**
   * List webhook endpoints, newest first: GET /v1/webhooks
   * Tokens limited to certain knowledge bases get 403, because an endpoint receives the events of the whole organization.
   */
  list: (query?: Api.WebhooksListQuery, options?: RequestOptions) =>
    paged<Api.WebhookEndpoint>(transport, '/v1/webhooks', query, options),
  /** Get a webhook endpoint: GET /v1/webhooks/{webhookId} */
  get: (webhookId: string, options?: RequestOptions) =>
    call<Api.WebhookEndpoint>(transport, { method: 'GET', path: `/v1/webhooks/${segment(webhookId)}` }, options),
  /**
   * Update a webhook endpoint: PATCH /v1/webhooks/{webhookId}
   * Disabling an endpoint cancels its pending deliveries. After enabling it again, missed events can be redelivered. The token also needs the scope `events:read`.
   */
  update: (webhookId: string, body: Api.UpdateWebhook, options?: RequestOptions) =>
    call<Api.WebhookEndpoint>(transport, { method: 'PATCH', path: `/v1/webhooks/${segment(webhookId)}`, body }, options),
  /**
   * Delete a webhook endpoint: DELETE /v1/webhooks/{webhookId}
   * Its deliveries and their log are deleted too.
   */
  delete: (webhookId: string, options?: RequestOptions) =>
    call<void>(transport, { method: 'DELETE', path: `/v1/webhooks/${segment(webhookId)}` }, options),
  /**
   * Rotate the secret of a webhook endpoint: POST /v1/webhooks/{webhookId}/rotate-secret
   * The new secret is only in this response. Until the overlap ends, every request has two signatures, one by each secret.
   */
  rotateSecret: (webhookId: string, body: Api.RotateWebhookSecret, options?: RequestOptions) =>
    call<Api.WebhookEndpointWithSecret>(transport, { method: 'POST', path: `/v1/webhooks/${segment(webhookId)}/rotate-secret`, body }, options),
  /**
   * Send a test event: POST /v1/webhooks/{webhookId}/test
   * Sends an event of the type `webhook_endpoint.test`, with the endpoint as `data`, to this endpoint only. It is sent once and is not in the event log. 409 for a disabled endpoint.
   */
  test: (webhookId: string, options?: RequestOptions) =>
    call<Api.WebhookDelivery>(transport, { method: 'POST', path: `/v1/webhooks/${segment(webhookId)}/test` }, options),
  /**
   * Redeliver events: POST /v1/webhooks/{webhookId}/redeliver
   * Sends events of a time range again in the background, oldest first. 409 for a disabled endpoint.
   */
  redeliver: (webhookId: string, body: Api.RedeliverEvents, options?: RequestOptions) =>
    call<Api.RedeliveredEvents>(transport, { method: 'POST', path: `/v1/webhooks/${segment(webhookId)}/redeliver`, body }, options),
  deliveries: {
    /**
     * List the deliveries of a webhook endpoint, newest first: GET /v1/webhooks/{webhookId}/deliveries
     * Deliveries are kept as long as their events, 90 days by default.
     */
    list: (webhookId: string, query?: Api.WebhookDeliveriesListQuery, options?: RequestOptions) =>
      paged<Api.WebhookDelivery>(transport, `/v1/webhooks/${segment(webhookId)}/deliveries`, query, options),
    /**
     * Get a delivery with its attempts: GET /v1/webhooks/{webhookId}/deliveries/{deliveryId}
     * Returns the request and the response of each attempt. The token also needs the scope `events:read`.
     */
    get: (webhookId: string, deliveryId: string, options?: RequestOptions) =>
      call<Api.WebhookDeliveryWithAttempts>(transport, { method: 'GET', path: `/v1/webhooks/${segment(webhookId)}/deliveries/${segment(deliveryId)}` }, options),
    /**
     * Redeliver an event: POST /v1/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver
     * Sends the event again at once, with a new schedule of retries. 409 for a disabled endpoint.
     */
    redeliver: (webhookId: string, deliveryId: string, options?: RequestOptions) =>
      call<Api.WebhookDelivery>(transport, { method: 'POST', path: `/v1/webhooks/${segment(webhookId)}/deliveries/${segment(deliveryId)}/redeliver` }, options),
  },
})

export class Resources {
  readonly audit: ReturnType<typeof audit>
  readonly bases: ReturnType<typeof bases>
  readonly certificates: ReturnType<typeof certificates>
  readonly companies: ReturnType<typeof companies>
  readonly contactExports: ReturnType<typeof contactExports>
  readonly contactImports: ReturnType<typeof contactImports>
  readonly contactJobs: ReturnType<typeof contactJobs>
  readonly contacts: ReturnType<typeof contacts>
  readonly contactViews: ReturnType<typeof contactViews>
  readonly customFields: ReturnType<typeof customFields>
  readonly events: ReturnType<typeof events>
  readonly invitations: ReturnType<typeof invitations>
  readonly mails: ReturnType<typeof mails>
  readonly me: ReturnType<typeof me>
  readonly members: ReturnType<typeof members>
  readonly organization: ReturnType<typeof organization>
  readonly organizations: ReturnType<typeof organizations>
  readonly overview: ReturnType<typeof overview>
  readonly proposalListViews: ReturnType<typeof proposalListViews>
  readonly proposals: ReturnType<typeof proposals>
  readonly requests: ReturnType<typeof requests>
  readonly search: ReturnType<typeof search>
  readonly setup: ReturnType<typeof setup>
  readonly sources: ReturnType<typeof sources>
  readonly sourceViews: ReturnType<typeof sourceViews>
  readonly system: ReturnType<typeof system>
  readonly tasks: ReturnType<typeof tasks>
  readonly tokens: ReturnType<typeof tokens>
  readonly tools: ReturnType<typeof tools>
  readonly webhooks: ReturnType<typeof webhooks>

  constructor(transport: Transport) {
    this.audit = audit(transport)
    this.bases = bases(transport)
    this.certificates = certificates(transport)
    this.companies = companies(transport)
    this.contactExports = contactExports(transport)
    this.contactImports = contactImports(transport)
    this.contactJobs = contactJobs(transport)
    this.contacts = contacts(transport)
    this.contactViews = contactViews(transport)
    this.customFields = customFields(transport)
    this.events = events(transport)
    this.invitations = invitations(transport)
    this.mails = mails(transport)
    this.me = me(transport)
    this.members = members(transport)
    this.organization = organization(transport)
    this.organizations = organizations(transport)
    this.overview = overview(transport)
    this.proposalListViews = proposalListViews(transport)
    this.proposals = proposals(transport)
    this.requests = requests(transport)
    this.search = search(transport)
    this.setup = setup(transport)
    this.sources = sources(transport)
    this.sourceViews = sourceViews(transport)
    this.system = system(transport)
    this.tasks = tasks(transport)
    this.tokens = tokens(transport)
    this.tools = tools(transport)
    this.webhooks = webhooks(transport)
  }
}

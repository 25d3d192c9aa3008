// Generated from the route table by npm run sdk:generate. Do not edit.
import type { GroundworkApi as Api, Received, Sent } from '@groundwork/api'
import { paged } from './paging.ts'
import { call, segment, type RequestOptions, type Transport } from './transport.ts'
import type { Item, Query } from './types.ts'

export const audit = (transport: Transport) => ({
  /**
   * List the audit log, newest first: GET /v1/audit
   * Every change of the last 400 days: who made it, when and from where. Entries are written with the change itself, and nobody can change them. 403 for a token that is limited to knowledge bases.
   */
  list: (query?: Query<Api['audit']['list']>, options?: RequestOptions) =>
    paged<Item<Api['audit']['list']>>(transport, '/v1/audit', query, options),
})

export const bases = (transport: Transport) => ({
  /** Create a knowledge base: POST /v1/bases */
  create: (body: Sent<Api['bases']['create'], 'body'>, options?: RequestOptions) =>
    call<Received<Api['bases']['create']>>(transport, { method: 'POST', path: '/v1/bases', body }, options),
  /** List knowledge bases: GET /v1/bases */
  list: (query?: Query<Api['bases']['list']>, options?: RequestOptions) =>
    paged<Item<Api['bases']['list']>>(transport, '/v1/bases', query, options),
  /** Get a knowledge base: GET /v1/bases/{baseId} */
  get: (baseId: string, options?: RequestOptions) =>
    call<Received<Api['bases']['get']>>(transport, { method: 'GET', path: `/v1/bases/${segment(baseId)}` }, options),
  /**
   * Change a knowledge base: PATCH /v1/bases/{baseId}
   * New chunking settings apply to what is processed from now on; what is there is indexed anew in the background (`reindexing`), and searched as it was until all of it is switched at once. 409 while a re-index is open that does not switch by itself; one that does is replaced. Another language applies to what is processed from now on.
   */
  update: (baseId: string, body: Sent<Api['bases']['update'], 'body'>, options?: RequestOptions) =>
    call<Received<Api['bases']['update']>>(transport, { method: 'PATCH', path: `/v1/bases/${segment(baseId)}`, body }, options),
  /**
   * Delete a knowledge base with all its sources: DELETE /v1/bases/{baseId}
   * Final: nothing of it is returned again.
   */
  delete: (baseId: string, options?: RequestOptions) =>
    call<Received<Api['bases']['delete']>>(transport, { method: 'DELETE', path: `/v1/bases/${segment(baseId)}` }, options),
  sources: {
    /**
     * Add a source: POST /v1/bases/{baseId}/sources
     * Processing goes on after the answer: poll the source until its status is no longer processing.
     */
    create: (baseId: string, body: Sent<Api['sources']['add'], 'body'>, options?: RequestOptions) =>
      call<Received<Api['sources']['add']>>(transport, { method: 'POST', path: `/v1/bases/${segment(baseId)}/sources`, body }, options),
    /** List the sources of a base, newest first: GET /v1/bases/{baseId}/sources */
    list: (baseId: string, query?: Query<Api['sources']['list']>, options?: RequestOptions) =>
      paged<Item<Api['sources']['list']>>(transport, `/v1/bases/${segment(baseId)}/sources`, query, options),
    /**
     * Add a source, or replace the content of the one with the same externalId: POST /v1/bases/{baseId}/sources/upsert
     * What is there already keeps its id and serves on until the new content is complete; name and the fields that are sent replace those before, metadata key by key. Content that is the same is not indexed again.
     */
    upsert: (baseId: string, body: Sent<Api['sources']['upsert'], 'body'>, options?: RequestOptions) =>
      call<Received<Api['sources']['upsert']>>(transport, { method: 'POST', path: `/v1/bases/${segment(baseId)}/sources/upsert`, body }, options),
    /** Get a source with its processing status: GET /v1/bases/{baseId}/sources/{sourceId} */
    get: (baseId: string, sourceId: string, options?: RequestOptions) =>
      call<Received<Api['sources']['get']>>(transport, { method: 'GET', path: `/v1/bases/${segment(baseId)}/sources/${segment(sourceId)}` }, options),
    /**
     * Change a source: PATCH /v1/bases/{baseId}/sources/{sourceId}
     * A source that is not enabled is not searched, from the answer on.
     */
    update: (baseId: string, sourceId: string, body: Sent<Api['sources']['update'], 'body'>, options?: RequestOptions) =>
      call<Received<Api['sources']['update']>>(transport, { method: 'PATCH', path: `/v1/bases/${segment(baseId)}/sources/${segment(sourceId)}`, body }, options),
    /**
     * Delete a source and all its chunks: DELETE /v1/bases/{baseId}/sources/{sourceId}
     * Final and immediate: a search that starts after the answer cannot return anything of it.
     */
    delete: (baseId: string, sourceId: string, options?: RequestOptions) =>
      call<Received<Api['sources']['delete']>>(transport, { method: 'DELETE', path: `/v1/bases/${segment(baseId)}/sources/${segment(sourceId)}` }, options),
    pages: {
      /**
       * List the pages of a crawled site with what came of each: GET /v1/bases/{baseId}/sources/{sourceId}/pages
       * In the order in which the crawl met them. Of a crawl that goes on, pages that still wait show what came of them before.
       */
      list: (baseId: string, sourceId: string, query?: Query<Api['sources']['pages']>, options?: RequestOptions) =>
        paged<Item<Api['sources']['pages']>>(transport, `/v1/bases/${segment(baseId)}/sources/${segment(sourceId)}/pages`, query, options),
      /**
       * Get the text that was read out of a page of a crawled site: GET /v1/bases/{baseId}/sources/{sourceId}/pages/{pageId}/content
       * Citations of the page point into it. As text/plain, where that is accepted, it is the field text alone.
       */
      content: (baseId: string, sourceId: string, pageId: string, options?: RequestOptions) =>
        call<Received<Api['sources']['pageContent']>>(transport, { method: 'GET', path: `/v1/bases/${segment(baseId)}/sources/${segment(sourceId)}/pages/${segment(pageId)}/content` }, options),
    },
    /**
     * Replace the content of a source: POST /v1/bases/{baseId}/sources/{sourceId}/replace
     * Takes what Add source takes for its type. The id stays; what was there before serves on until the new content is complete, and if that fails.
     */
    replace: (baseId: string, sourceId: string, body: Sent<Api['sources']['replace'], 'body'>, options?: RequestOptions) =>
      call<Received<Api['sources']['replace']>>(transport, { method: 'POST', path: `/v1/bases/${segment(baseId)}/sources/${segment(sourceId)}/replace`, body }, options),
    /**
     * Stop the processing of a source: POST /v1/bases/{baseId}/sources/{sourceId}/cancel
     * It is failed with the errorCode cancelled; where something was there before, that serves on and the status is completed.
     */
    cancel: (baseId: string, sourceId: string, options?: RequestOptions) =>
      call<Received<Api['sources']['cancel']>>(transport, { method: 'POST', path: `/v1/bases/${segment(baseId)}/sources/${segment(sourceId)}/cancel` }, options),
    chunks: {
      /**
       * List the chunks of a source in their order: GET /v1/bases/{baseId}/sources/{sourceId}/chunks
       * Of the content that is searched; none before there is any.
       */
      list: (baseId: string, sourceId: string, query?: Query<Api['sources']['chunks']>, options?: RequestOptions) =>
        paged<Item<Api['sources']['chunks']>>(transport, `/v1/bases/${segment(baseId)}/sources/${segment(sourceId)}/chunks`, query, options),
    },
    /**
     * Get the text that was read out of a source: GET /v1/bases/{baseId}/sources/{sourceId}/content
     * Citations point into it. As text/plain, where that is accepted, it is the field text alone. 404 before there is any, and for a site, which has a text for each of its pages.
     */
    content: (baseId: string, sourceId: string, options?: RequestOptions) =>
      call<Received<Api['sources']['content']>>(transport, { method: 'GET', path: `/v1/bases/${segment(baseId)}/sources/${segment(sourceId)}/content` }, options),
    /**
     * Get the bytes that a source was read from: GET /v1/bases/{baseId}/sources/{sourceId}/original
     * The file that was uploaded, or what the address answered; of a video, the captions as WebVTT. Of what serves, or before that, of what is being read. 404 while nothing was fetched yet, and for a site, of which only the texts are kept.
     */
    original: (baseId: string, sourceId: string, options?: RequestOptions) =>
      transport.receive({ method: 'GET', path: `/v1/bases/${segment(baseId)}/sources/${segment(sourceId)}/original` }, options),
    /** Process a source again whose last attempt failed: POST /v1/bases/{baseId}/sources/{sourceId}/retry */
    retry: (baseId: string, sourceId: string, options?: RequestOptions) =>
      call<Received<Api['sources']['retry']>>(transport, { method: 'POST', path: `/v1/bases/${segment(baseId)}/sources/${segment(sourceId)}/retry` }, options),
    /**
     * Look for something new at the address of a source: POST /v1/bases/{baseId}/sources/{sourceId}/sync
     * Of url, youtube and scrape sources. The status is processing until it is known; what was there before serves on, until what is new is complete. Where nothing has changed, only lastSyncedAt does. A sync that fails leaves the source completed, with error and errorCode.
     */
    sync: (baseId: string, sourceId: string, options?: RequestOptions) =>
      call<Received<Api['sources']['sync']>>(transport, { method: 'POST', path: `/v1/bases/${segment(baseId)}/sources/${segment(sourceId)}/sync` }, options),
  },
  /**
   * Show the chunks that a document would become, and keep nothing: POST /v1/bases/{baseId}/preview
   * Read and cut as a source of the base would be: up to 20 MB, within 30 seconds. What cannot be read is refused with 422, where the code of the first of issues is the errorCode that the source would have. Few are made at a time: 429 says when to try again.
   */
  preview: (baseId: string, body: Sent<Api['previews']['create'], 'body'>, options?: RequestOptions) =>
    call<Received<Api['previews']['create']>>(transport, { method: 'POST', path: `/v1/bases/${segment(baseId)}/preview`, reads: true, body }, options),
  reindexes: {
    /**
     * Index all sources of a base anew, beside what is searched: POST /v1/bases/{baseId}/reindexes
     * From their stored texts, with these chunking settings (what is left out: as the base is set) and the embedding model that the program has now. Nothing of it is searched before the switch, which is asked for, or follows by itself with `switchWhenReady`. 409 while another one is building or ready.
     */
    create: (baseId: string, body: Sent<Api['reindexes']['start'], 'body'>, options?: RequestOptions) =>
      call<Received<Api['reindexes']['start']>>(transport, { method: 'POST', path: `/v1/bases/${segment(baseId)}/reindexes`, body }, options),
    /** List the re-indexes of a base, newest first: GET /v1/bases/{baseId}/reindexes */
    list: (baseId: string, query?: Query<Api['reindexes']['list']>, options?: RequestOptions) =>
      paged<Item<Api['reindexes']['list']>>(transport, `/v1/bases/${segment(baseId)}/reindexes`, query, options),
    /** Get a re-index: how far it is, and how it compares: GET /v1/bases/{baseId}/reindexes/{reindexId} */
    get: (baseId: string, reindexId: string, options?: RequestOptions) =>
      call<Received<Api['reindexes']['get']>>(transport, { method: 'GET', path: `/v1/bases/${segment(baseId)}/reindexes/${segment(reindexId)}` }, options),
    /**
     * Have the new index searched: POST /v1/bases/{baseId}/reindexes/{reindexId}/switch
     * All sources and the chunking settings of the base change in one transaction. What was searched before is kept for seven days, or until the next re-index of the base begins. 409 unless it is ready, and, without force, where the saved questions of the base are answered worse: recall or mean reciprocal rank falls.
     */
    switch: (baseId: string, reindexId: string, body: Sent<Api['reindexes']['switch'], 'body'>, options?: RequestOptions) =>
      call<Received<Api['reindexes']['switch']>>(transport, { method: 'POST', path: `/v1/bases/${segment(baseId)}/reindexes/${segment(reindexId)}/switch`, body }, options),
    /**
     * Have the index before the switch searched again: POST /v1/bases/{baseId}/reindexes/{reindexId}/rollback
     * In one transaction, with the chunking settings of that time. Content that was replaced since stays as it is. 409 when what was searched before is no longer kept.
     */
    rollback: (baseId: string, reindexId: string, options?: RequestOptions) =>
      call<Received<Api['reindexes']['rollback']>>(transport, { method: 'POST', path: `/v1/bases/${segment(baseId)}/reindexes/${segment(reindexId)}/rollback` }, options),
    /**
     * End a re-index without a switch: POST /v1/bases/{baseId}/reindexes/{reindexId}/cancel
     * What was built goes. 409 unless it is building or ready.
     */
    cancel: (baseId: string, reindexId: string, options?: RequestOptions) =>
      call<Received<Api['reindexes']['cancel']>>(transport, { method: 'POST', path: `/v1/bases/${segment(baseId)}/reindexes/${segment(reindexId)}/cancel` }, options),
  },
  /** Find the passages that answer a question: POST /v1/bases/{baseId}/search */
  search: (baseId: string, body: Sent<Api['search']['base'], 'body'>, options?: RequestOptions) =>
    call<Received<Api['search']['base']>>(transport, { method: 'POST', path: `/v1/bases/${segment(baseId)}/search`, reads: true, body }, options),
  retrievals: {
    /**
     * List the searches of a knowledge base, newest first: GET /v1/bases/{baseId}/retrievals
     * By whichever door they came. A search is here about a second after its answer, and for as many days as the base keeps it. Evaluations are not written down.
     */
    list: (baseId: string, query?: Query<Api['retrievals']['list']>, options?: RequestOptions) =>
      paged<Item<Api['retrievals']['list']>>(transport, `/v1/bases/${segment(baseId)}/retrievals`, query, options),
    /**
     * Count the searches of a knowledge base by day: GET /v1/bases/{baseId}/retrievals/stats
     * Newest day first; a day without a search is left out.
     */
    stats: (baseId: string, query?: Query<Api['retrievals']['stats']>, options?: RequestOptions) =>
      call<Received<Api['retrievals']['stats']>>(transport, { method: 'GET', path: `/v1/bases/${segment(baseId)}/retrievals/stats`, query }, options),
  },
  /**
   * List the questions that a knowledge base has no good answer to: GET /v1/bases/{baseId}/unanswered
   * Those of which no passage reached a score of .2, the most asked first. Questions are one that differ in capitals, white space or marks at their end.
   */
  unanswered: (baseId: string, query?: Query<Api['retrievals']['unanswered']>, options?: RequestOptions) =>
    call<Received<Api['retrievals']['unanswered']>>(transport, { method: 'GET', path: `/v1/bases/${segment(baseId)}/unanswered`, query }, options),
  questions: {
    /**
     * Save a question with what answers it: POST /v1/bases/{baseId}/questions
     * For evaluations. A base has 2000 at most; 409 beyond.
     */
    create: (baseId: string, body: Sent<Api['questions']['create'], 'body'>, options?: RequestOptions) =>
      call<Received<Api['questions']['create']>>(transport, { method: 'POST', path: `/v1/bases/${segment(baseId)}/questions`, body }, options),
    /** List the saved questions of a knowledge base, newest first: GET /v1/bases/{baseId}/questions */
    list: (baseId: string, query?: Query<Api['questions']['list']>, options?: RequestOptions) =>
      paged<Item<Api['questions']['list']>>(transport, `/v1/bases/${segment(baseId)}/questions`, query, options),
    /**
     * Save up to 500 questions at once: POST /v1/bases/{baseId}/questions/bulk
     * All of them, or none where one is at fault.
     */
    bulk: (baseId: string, body: Sent<Api['questions']['createMany'], 'body'>, options?: RequestOptions) =>
      call<Received<Api['questions']['createMany']>>(transport, { method: 'POST', path: `/v1/bases/${segment(baseId)}/questions/bulk`, body }, options),
    /** Get a saved question: GET /v1/bases/{baseId}/questions/{questionId} */
    get: (baseId: string, questionId: string, options?: RequestOptions) =>
      call<Received<Api['questions']['get']>>(transport, { method: 'GET', path: `/v1/bases/${segment(baseId)}/questions/${segment(questionId)}` }, options),
    /**
     * Change a saved question: PATCH /v1/bases/{baseId}/questions/{questionId}
     * The next evaluation tells of it as new.
     */
    update: (baseId: string, questionId: string, body: Sent<Api['questions']['update'], 'body'>, options?: RequestOptions) =>
      call<Received<Api['questions']['update']>>(transport, { method: 'PATCH', path: `/v1/bases/${segment(baseId)}/questions/${segment(questionId)}`, body }, options),
    /**
     * Delete a saved question: DELETE /v1/bases/{baseId}/questions/{questionId}
     * Evaluations that asked it keep what came of it.
     */
    delete: (baseId: string, questionId: string, options?: RequestOptions) =>
      call<Received<Api['questions']['delete']>>(transport, { method: 'DELETE', path: `/v1/bases/${segment(baseId)}/questions/${segment(questionId)}` }, options),
  },
  evaluations: {
    /**
     * Ask all saved questions of a knowledge base, and measure the answers: POST /v1/bases/{baseId}/evaluations
     * Goes on after the answer: poll it until its status is completed or failed. What the request leaves open is as the base is set. 409 where there is no question to ask.
     */
    create: (baseId: string, body: Sent<Api['evaluations']['start'], 'body'>, options?: RequestOptions) =>
      call<Received<Api['evaluations']['start']>>(transport, { method: 'POST', path: `/v1/bases/${segment(baseId)}/evaluations`, body }, options),
    /** List the evaluations of a knowledge base, newest first: GET /v1/bases/{baseId}/evaluations */
    list: (baseId: string, query?: Query<Api['evaluations']['list']>, options?: RequestOptions) =>
      paged<Item<Api['evaluations']['list']>>(transport, `/v1/bases/${segment(baseId)}/evaluations`, query, options),
    /** Get an evaluation, question by question: GET /v1/bases/{baseId}/evaluations/{evaluationId} */
    get: (baseId: string, evaluationId: string, options?: RequestOptions) =>
      call<Received<Api['evaluations']['get']>>(transport, { method: 'GET', path: `/v1/bases/${segment(baseId)}/evaluations/${segment(evaluationId)}` }, options),
    /**
     * Delete an evaluation: DELETE /v1/bases/{baseId}/evaluations/{evaluationId}
     * One that is running ends.
     */
    delete: (baseId: string, evaluationId: string, options?: RequestOptions) =>
      call<Received<Api['evaluations']['delete']>>(transport, { method: 'DELETE', path: `/v1/bases/${segment(baseId)}/evaluations/${segment(evaluationId)}` }, options),
  },
})

export const contacts = (transport: Transport) => ({
  /**
   * List contacts: GET /v1/contacts
   * A bare array, newest first; with q the best match first. The address of the next page is in the Link header.
   */
  list: (query?: Query<Api['contacts']['list']>, options?: RequestOptions) =>
    paged<Item<Api['contacts']['list']>>(transport, '/v1/contacts', query, options),
  /**
   * Create a contact: POST /v1/contacts
   * One of email, phone, or firstName with lastName must be present.
   */
  create: (body: Sent<Api['contacts']['create'], 'body'>, options?: RequestOptions) =>
    call<Received<Api['contacts']['create']>>(transport, { method: 'POST', path: '/v1/contacts', body }, options),
  /** Get a contact: GET /v1/contacts/{id} */
  get: (id: string, options?: RequestOptions) =>
    call<Received<Api['contacts']['get']>>(transport, { method: 'GET', path: `/v1/contacts/${segment(id)}` }, options),
  /**
   * Change a contact: PATCH /v1/contacts/{id}
   * An absent field keeps its value, null clears it, tags replace the former ones.
   */
  update: (id: string, body: Sent<Api['contacts']['update'], 'body'>, options?: RequestOptions) =>
    call<Received<Api['contacts']['update']>>(transport, { method: 'PATCH', path: `/v1/contacts/${segment(id)}`, body }, options),
  /**
   * Delete a contact: DELETE /v1/contacts/{id}
   * Hidden everywhere at once; can be restored for 30 days.
   */
  delete: (id: string, options?: RequestOptions) =>
    call<Received<Api['contacts']['delete']>>(transport, { method: 'DELETE', path: `/v1/contacts/${segment(id)}` }, options),
  /** Restore a deleted contact: POST /v1/contacts/{id}/restore */
  restore: (id: string, options?: RequestOptions) =>
    call<Received<Api['contacts']['restore']>>(transport, { method: 'POST', path: `/v1/contacts/${segment(id)}/restore` }, options),
  timeline: {
    /**
     * List what happened to a contact and its proposals, newest first: GET /v1/contacts/{id}/timeline
     * Events of the last 90 days.
     */
    list: (id: string, query?: Query<Api['events']['ofContact']>, options?: RequestOptions) =>
      paged<Item<Api['events']['ofContact']>>(transport, `/v1/contacts/${segment(id)}/timeline`, query, options),
  },
})

export const events = (transport: Transport) => ({
  /** Get an event: GET /v1/events/{eventId} */
  get: (eventId: string, options?: RequestOptions) =>
    call<Received<Api['events']['get']>>(transport, { method: 'GET', path: `/v1/events/${segment(eventId)}` }, options),
  /**
   * List events, newest first: GET /v1/events
   * Everything that changed in the last 90 days.
   */
  list: (query?: Query<Api['events']['list']>, options?: RequestOptions) =>
    paged<Item<Api['events']['list']>>(transport, '/v1/events', query, options),
})

export const invitations = (transport: Transport) => ({
  /**
   * Invite somebody: POST /v1/invitations
   * Sends a message with a link that works once, for 7 days. 409 for a member, and for who has an invitation already; 403 for a role that may do more than who asks.
   */
  create: (body: Sent<Api['invitations']['create'], 'body'>, options?: RequestOptions) =>
    call<Received<Api['invitations']['create']>>(transport, { method: 'POST', path: '/v1/invitations', body }, options),
  /**
   * List invitations that wait to be accepted: GET /v1/invitations
   * Newest first, also those whose time is over.
   */
  list: (query?: Query<Api['invitations']['list']>, options?: RequestOptions) =>
    paged<Item<Api['invitations']['list']>>(transport, '/v1/invitations', query, options),
  /** Get an invitation that waits to be accepted: GET /v1/invitations/{invitationId} */
  get: (invitationId: string, options?: RequestOptions) =>
    call<Received<Api['invitations']['get']>>(transport, { method: 'GET', path: `/v1/invitations/${segment(invitationId)}` }, options),
  /** Take an invitation back: DELETE /v1/invitations/{invitationId} */
  delete: (invitationId: string, options?: RequestOptions) =>
    call<Received<Api['invitations']['delete']>>(transport, { method: 'DELETE', path: `/v1/invitations/${segment(invitationId)}` }, options),
  /**
   * Send an invitation again: POST /v1/invitations/{invitationId}/resend
   * With a new link, for another 7 days; the one of before ends.
   */
  resend: (invitationId: string, options?: RequestOptions) =>
    call<Received<Api['invitations']['resend']>>(transport, { method: 'POST', path: `/v1/invitations/${segment(invitationId)}/resend` }, options),
  /** Tell what an invitation is to: POST /v1/invitations/look */
  look: (body: Sent<Api['invitations']['look'], 'body'>, options?: RequestOptions) =>
    call<Received<Api['invitations']['look']>>(transport, { method: 'POST', path: '/v1/invitations/look', reads: true, body }, options),
  /**
   * Accept an invitation: POST /v1/invitations/accept
   * Whoever has no user yet gives a name and a password, gets a user and is signed in. For an address that has one, its session is wanted: 401 without, 403 with that of somebody else.
   */
  accept: (body: Sent<Api['invitations']['accept'], 'body'>, options?: RequestOptions) =>
    call<Received<Api['invitations']['accept']>>(transport, { method: 'POST', path: '/v1/invitations/accept', body }, options),
})

export const mails = (transport: Transport) => ({
  /**
   * List messages that were written as files: GET /v1/mails
   * Newest first: what the service would have sent, had the operator set SMTP_URL. They carry links that invite people, so reading them takes the right to do so.
   */
  list: (query?: Query<Api['mails']['list']>, options?: RequestOptions) =>
    paged<Item<Api['mails']['list']>>(transport, '/v1/mails', query, options),
  /** Get a message that was written as a file: GET /v1/mails/{mailId} */
  get: (mailId: string, options?: RequestOptions) =>
    call<Received<Api['mails']['get']>>(transport, { method: 'GET', path: `/v1/mails/${segment(mailId)}` }, options),
})

export const me = (transport: Transport) => ({
  /**
   * Tell who is signed in: GET /v1/me
   * The user of the session, and the organizations that the user is a member of, by name.
   */
  get: (options?: RequestOptions) =>
    call<Received<Api['people']['me']>>(transport, { method: 'GET', path: '/v1/me' }, options),
})

export const members = (transport: Transport) => ({
  /**
   * List members: GET /v1/members
   * Who joined last comes first.
   */
  list: (query?: Query<Api['members']['list']>, options?: RequestOptions) =>
    paged<Item<Api['members']['list']>>(transport, '/v1/members', query, options),
  /**
   * Give a member another role: PATCH /v1/members/{userId}
   * Only an owner may make owners or lower them: 403. The last owner stays one: 409.
   */
  update: (userId: string, body: Sent<Api['members']['update'], 'body'>, options?: RequestOptions) =>
    call<Received<Api['members']['update']>>(transport, { method: 'PATCH', path: `/v1/members/${segment(userId)}`, body }, options),
  /**
   * Remove a member, or leave: DELETE /v1/members/{userId}
   * Everybody may leave; to remove others takes members:write, and to remove an owner an owner: 403. The last owner stays: 409. API tokens that the member made stay.
   */
  delete: (userId: string, options?: RequestOptions) =>
    call<Received<Api['members']['remove']>>(transport, { method: 'DELETE', path: `/v1/members/${segment(userId)}` }, options),
})

export const organization = (transport: Transport) => ({
  /** Get the organization that the token or the session acts for: GET /v1/organization */
  get: (options?: RequestOptions) =>
    call<Received<Api['organizations']['get']>>(transport, { method: 'GET', path: '/v1/organization' }, options),
  /**
   * Change the organization: PATCH /v1/organization
   * A new slug changes the addresses of its pages. 409 for one that another organization has.
   */
  update: (body: Sent<Api['organizations']['update'], 'body'>, options?: RequestOptions) =>
    call<Received<Api['organizations']['update']>>(transport, { method: 'PATCH', path: '/v1/organization', body }, options),
})

export const organizations = (transport: Transport) => ({
  /**
   * Found an organization: POST /v1/organizations
   * Whoever is signed in becomes its owner.
   */
  create: (body: Sent<Api['organizations']['create'], 'body'>, options?: RequestOptions) =>
    call<Received<Api['organizations']['create']>>(transport, { method: 'POST', path: '/v1/organizations', body }, options),
})

export const overview = (transport: Transport) => ({
  /**
   * Tell how the organization does: GET /v1/overview
   * What needs attention, how searches went, and how much there is of everything. Each part takes the scope that lists its records, and is null without it; a token that is limited to some bases is told of those alone.
   */
  get: (options?: RequestOptions) =>
    call<Received<Api['overview']['get']>>(transport, { method: 'GET', path: '/v1/overview' }, options),
})

export const proposals = (transport: Transport) => ({
  /** Create and send a proposal: POST /v1/proposals */
  create: (body: Sent<Api['proposals']['create'], 'body'>, options?: RequestOptions) =>
    call<Received<Api['proposals']['create']>>(transport, { method: 'POST', path: '/v1/proposals', body }, options),
  /** List proposals: GET /v1/proposals */
  list: (query?: Query<Api['proposals']['list']>, options?: RequestOptions) =>
    paged<Item<Api['proposals']['list']>>(transport, '/v1/proposals', query, options),
  /** Get a proposal: GET /v1/proposals/{id} */
  get: (id: string, options?: RequestOptions) =>
    call<Received<Api['proposals']['get']>>(transport, { method: 'GET', path: `/v1/proposals/${segment(id)}` }, options),
  /** Change a draft: PATCH /v1/proposals/{id} */
  update: (id: string, body: Sent<Api['proposals']['update'], 'body'>, options?: RequestOptions) =>
    call<Received<Api['proposals']['update']>>(transport, { method: 'PATCH', path: `/v1/proposals/${segment(id)}`, body }, options),
  /** Delete a draft: DELETE /v1/proposals/{id} */
  delete: (id: string, options?: RequestOptions) =>
    call<Received<Api['proposals']['delete']>>(transport, { method: 'DELETE', path: `/v1/proposals/${segment(id)}` }, options),
  /** Send a draft: POST /v1/proposals/{id}/send */
  send: (id: string, options?: RequestOptions) =>
    call<Received<Api['proposals']['send']>>(transport, { method: 'POST', path: `/v1/proposals/${segment(id)}/send` }, options),
  /** Void a draft or a pending proposal: POST /v1/proposals/{id}/void */
  void: (id: string, body: Sent<Api['proposals']['void'], 'body'>, options?: RequestOptions) =>
    call<Received<Api['proposals']['void']>>(transport, { method: 'POST', path: `/v1/proposals/${segment(id)}/void`, body }, options),
})

export const search = (transport: Transport) => (body: Sent<Api['search']['all'], 'body'>, options?: RequestOptions) =>
  call<Received<Api['search']['all']>>(transport, { method: 'POST', path: '/v1/search', reads: true, body }, options)

export const setup = (transport: Transport) => ({
  /** Tell whether the first user is still to be made, and how people sign in: GET /v1/setup */
  get: (options?: RequestOptions) =>
    call<Received<Api['people']['setupNeeded']>>(transport, { method: 'GET', path: '/v1/setup' }, options),
  /**
   * Make the first user and sign in: POST /v1/setup
   * With the token of the address that the program prints as long as there is no user; the newest one alone works. The user becomes the owner of the organization, which is the one of that name made by the command line, or a new one. The session comes as a cookie. 404 for a wrong token, 409 once there is a user.
   */
  create: (body: Sent<Api['people']['setUp'], 'body'>, options?: RequestOptions) =>
    call<Received<Api['people']['setUp']>>(transport, { method: 'POST', path: '/v1/setup', body }, options),
})

export const system = (transport: Transport) => ({
  /** Tell how the service is set up: GET /v1/system */
  get: (options?: RequestOptions) =>
    call<Received<Api['system']['get']>>(transport, { method: 'GET', path: '/v1/system' }, options),
})

export const tokens = (transport: Transport) => ({
  /**
   * Make an API token: POST /v1/tokens
   * A token can grant no more than it has: a scope, a base, or a time that the asking token does not have is answered with 403. The secret is in this answer and in no other.
   */
  create: (body: Sent<Api['tokens']['create'], 'body'>, options?: RequestOptions) =>
    call<Received<Api['tokens']['create']>>(transport, { method: 'POST', path: '/v1/tokens', body }, options),
  /**
   * List API tokens: GET /v1/tokens
   * Newest first, revoked and expired ones included.
   */
  list: (query?: Query<Api['tokens']['list']>, options?: RequestOptions) =>
    paged<Item<Api['tokens']['list']>>(transport, '/v1/tokens', query, options),
  /** Get an API token: GET /v1/tokens/{tokenId} */
  get: (tokenId: string, options?: RequestOptions) =>
    call<Received<Api['tokens']['get']>>(transport, { method: 'GET', path: `/v1/tokens/${segment(tokenId)}` }, options),
  /** Rename an API token: PATCH /v1/tokens/{tokenId} */
  update: (tokenId: string, body: Sent<Api['tokens']['update'], 'body'>, options?: RequestOptions) =>
    call<Received<Api['tokens']['update']>>(transport, { method: 'PATCH', path: `/v1/tokens/${segment(tokenId)}`, body }, options),
  /**
   * Revoke an API token: DELETE /v1/tokens/{tokenId}
   * Final. Every process refuses it within a second; its record stays.
   */
  delete: (tokenId: string, options?: RequestOptions) =>
    call<Received<Api['tokens']['revoke']>>(transport, { method: 'DELETE', path: `/v1/tokens/${segment(tokenId)}` }, options),
  /**
   * Give an API token a new secret: POST /v1/tokens/{tokenId}/rotate
   * Everything else about the token stays. 403 for a token that may do more than the asking one, 409 for one that is revoked or expired.
   */
  rotate: (tokenId: string, body: Sent<Api['tokens']['rotate'], 'body'>, options?: RequestOptions) =>
    call<Received<Api['tokens']['rotate']>>(transport, { method: 'POST', path: `/v1/tokens/${segment(tokenId)}/rotate`, body }, options),
  /**
   * Revoke an API token by presenting it: POST /v1/tokens/revoke
   * For whoever finds a leaked secret: having it is enough. The answer is the same whether it was one or not. A secret that was rotated away and still works ends alone; its token stays.
   */
  revoke: (body: Sent<Api['tokens']['revokePresented'], 'body'>, options?: RequestOptions) =>
    call<Received<Api['tokens']['revokePresented']>>(transport, { method: 'POST', path: '/v1/tokens/revoke', body }, options),
})

export const uploads = (transport: Transport) => ({
  /** Begin an upload: POST /v1/uploads */
  create: (body: Sent<Api['uploads']['create'], 'body'>, options?: RequestOptions) =>
    call<Received<Api['uploads']['create']>>(transport, { method: 'POST', path: '/v1/uploads', body }, options),
  /**
   * Get an upload: whether its bytes have arrived: GET /v1/uploads/{uploadId}
   * Without uploadUrl, which permits its holder to send the bytes. 404 once an upload that no source uses has expired.
   */
  get: (uploadId: string, options?: RequestOptions) =>
    call<Received<Api['uploads']['get']>>(transport, { method: 'GET', path: `/v1/uploads/${segment(uploadId)}` }, options),
})

export const webhooks = (transport: Transport) => ({
  /**
   * Create a webhook endpoint: POST /v1/webhooks
   * Its secret is in this answer and in no other. The token needs events:read as well. An organization has 50 endpoints at most. A token that is limited to some bases is refused with 403, since an endpoint receives the events of the whole organization.
   */
  create: (body: Sent<Api['webhooks']['create'], 'body'>, options?: RequestOptions) =>
    call<Received<Api['webhooks']['create']>>(transport, { method: 'POST', path: '/v1/webhooks', body }, options),
  /**
   * List webhook endpoints: GET /v1/webhooks
   * Newest first. A token that is limited to some bases is refused with 403, since an endpoint receives the events of the whole organization.
   */
  list: (query?: Query<Api['webhooks']['list']>, options?: RequestOptions) =>
    paged<Item<Api['webhooks']['list']>>(transport, '/v1/webhooks', query, options),
  /** Get a webhook endpoint: GET /v1/webhooks/{webhookId} */
  get: (webhookId: string, options?: RequestOptions) =>
    call<Received<Api['webhooks']['get']>>(transport, { method: 'GET', path: `/v1/webhooks/${segment(webhookId)}` }, options),
  /**
   * Update a webhook endpoint: PATCH /v1/webhooks/{webhookId}
   * Disabling it cancels its pending deliveries; what it misses until it is enabled again can be redelivered. The token needs events:read as well.
   */
  update: (webhookId: string, body: Sent<Api['webhooks']['update'], 'body'>, options?: RequestOptions) =>
    call<Received<Api['webhooks']['update']>>(transport, { method: 'PATCH', path: `/v1/webhooks/${segment(webhookId)}`, body }, options),
  /**
   * Delete a webhook endpoint: DELETE /v1/webhooks/{webhookId}
   * Its deliveries and their log go with it.
   */
  delete: (webhookId: string, options?: RequestOptions) =>
    call<Received<Api['webhooks']['delete']>>(transport, { method: 'DELETE', path: `/v1/webhooks/${segment(webhookId)}` }, options),
  /**
   * Give a webhook endpoint a new secret: POST /v1/webhooks/{webhookId}/rotate-secret
   * Until the overlap ends every request carries two signatures, one by each secret.
   */
  rotateSecret: (webhookId: string, body: Sent<Api['webhooks']['rotateSecret'], 'body'>, options?: RequestOptions) =>
    call<Received<Api['webhooks']['rotateSecret']>>(transport, { method: 'POST', path: `/v1/webhooks/${segment(webhookId)}/rotate-secret`, body }, options),
  /**
   * Send a test event: POST /v1/webhooks/{webhookId}/test
   * An event of the type webhook_endpoint.test, for this endpoint alone and not in the event log; its data is the endpoint. It is sent once. 409 for an endpoint that is disabled.
   */
  test: (webhookId: string, options?: RequestOptions) =>
    call<Received<Api['webhooks']['test']>>(transport, { method: 'POST', path: `/v1/webhooks/${segment(webhookId)}/test` }, options),
  /**
   * Send events again: POST /v1/webhooks/{webhookId}/redeliver
   * Oldest first, in the background. 409 for an endpoint that is disabled.
   */
  redeliver: (webhookId: string, body: Sent<Api['webhooks']['redeliver'], 'body'>, options?: RequestOptions) =>
    call<Received<Api['webhooks']['redeliver']>>(transport, { method: 'POST', path: `/v1/webhooks/${segment(webhookId)}/redeliver`, body }, options),
  deliveries: {
    /**
     * List deliveries of a webhook endpoint: GET /v1/webhooks/{webhookId}/deliveries
     * Newest first. A delivery is kept as long as its event, 90 days.
     */
    list: (webhookId: string, query?: Query<Api['webhookDeliveries']['list']>, options?: RequestOptions) =>
      paged<Item<Api['webhookDeliveries']['list']>>(transport, `/v1/webhooks/${segment(webhookId)}/deliveries`, query, options),
    /**
     * Get a delivery with its attempts: GET /v1/webhooks/{webhookId}/deliveries/{deliveryId}
     * What was sent and what was answered. Since it shows the event, the token needs events:read as well.
     */
    get: (webhookId: string, deliveryId: string, options?: RequestOptions) =>
      call<Received<Api['webhookDeliveries']['get']>>(transport, { method: 'GET', path: `/v1/webhooks/${segment(webhookId)}/deliveries/${segment(deliveryId)}` }, options),
    /**
     * Send one event again: POST /v1/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver
     * At once, and with the whole schedule of retries before it. 409 for an endpoint that is disabled.
     */
    redeliver: (webhookId: string, deliveryId: string, options?: RequestOptions) =>
      call<Received<Api['webhookDeliveries']['redeliver']>>(transport, { method: 'POST', path: `/v1/webhooks/${segment(webhookId)}/deliveries/${segment(deliveryId)}/redeliver` }, options),
  },
})

export class Resources {
  readonly audit: ReturnType<typeof audit>
  readonly bases: ReturnType<typeof bases>
  readonly contacts: ReturnType<typeof contacts>
  readonly events: ReturnType<typeof events>
  readonly invitations: ReturnType<typeof invitations>
  readonly mails: ReturnType<typeof mails>
  readonly me: ReturnType<typeof me>
  readonly members: ReturnType<typeof members>
  readonly organization: ReturnType<typeof organization>
  readonly organizations: ReturnType<typeof organizations>
  readonly overview: ReturnType<typeof overview>
  readonly proposals: ReturnType<typeof proposals>
  readonly search: ReturnType<typeof search>
  readonly setup: ReturnType<typeof setup>
  readonly system: ReturnType<typeof system>
  readonly tokens: ReturnType<typeof tokens>
  readonly webhooks: ReturnType<typeof webhooks>

  constructor(transport: Transport) {
    this.audit = audit(transport)
    this.bases = bases(transport)
    this.contacts = contacts(transport)
    this.events = events(transport)
    this.invitations = invitations(transport)
    this.mails = mails(transport)
    this.me = me(transport)
    this.members = members(transport)
    this.organization = organization(transport)
    this.organizations = organizations(transport)
    this.overview = overview(transport)
    this.proposals = proposals(transport)
    this.search = search(transport)
    this.setup = setup(transport)
    this.system = system(transport)
    this.tokens = tokens(transport)
    this.webhooks = webhooks(transport)
  }
}

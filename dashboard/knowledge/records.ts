import type { GroundworkApi, Received } from '@groundwork/api'

/** Records in API responses. */
export type Base = Received<GroundworkApi['bases']['get']>
export type Source = Received<GroundworkApi['sources']['get']>
export type SourceChunk = Received<GroundworkApi['sources']['chunks']>['data'][number]
export type OutlineEntry = Received<GroundworkApi['sources']['content']>['outline'][number]
export type SitePage = Received<GroundworkApi['sources']['pages']>['data'][number]
export type Preview = Received<GroundworkApi['previews']['create']>
export type Reindex = Received<GroundworkApi['reindexes']['get']>
export type Evaluation = Received<GroundworkApi['evaluations']['list']>['data'][number]
export type EvaluationResult = Received<GroundworkApi['evaluations']['get']>['results'][number]
export type Question = Received<GroundworkApi['questions']['get']>
export type Retrieval = Received<GroundworkApi['retrievals']['list']>['data'][number]
export type UnansweredQuestion = Received<GroundworkApi['retrievals']['unanswered']>['data'][number]

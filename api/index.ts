export { ErrorIssue, ErrorReply, errorStatus, sourceErrorCodes, type ErrorCode, type SourceErrorCode } from './errors.ts'

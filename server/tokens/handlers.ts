import type { GroundworkApi } from '@groundwork/api'
import type { Handlers } from '../handlers.ts'
import {
  createToken,
  getToken,
  listTokens,
  revokePresentedToken,
  revokeToken,
  rotateToken,
  updateToken,
  type TokenServices,
} from './tokens.ts'

export const tokenHandlers: Handlers<GroundworkApi, TokenServices>['tokens'] = {
  create: (ctx, { body }) => createToken(ctx, body),
  list: (ctx, { query }) => listTokens(ctx, query),
  get: (ctx, { params }) => getToken(ctx, params.tokenId),
  update: (ctx, { params, body }) => updateToken(ctx, params.tokenId, body),
  rotate: (ctx, { params, body }) => rotateToken(ctx, params.tokenId, body),
  revoke: (ctx, { params }) => revokeToken(ctx, params.tokenId),
  revokePresented: (ctx, { body }) => revokePresentedToken(ctx, body.token),
}

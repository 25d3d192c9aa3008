import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { whoIsSignedIn } from '../lib/session.ts'
import { rootRoute } from '../shell/root-route.ts'

const setup = createRoute({
  getParentRoute: () => rootRoute,
  path: '/setup',
  component: lazyRouteComponent(() => import('./setup-page.tsx'), 'SetupPage'),
})

interface SignInSearch {
  /** The URL to open after sign-in. */
  next?: string
  /** Set after a password reset. */
  reset?: true
  /** The outcome of sign-in with the identity provider. */
  oidc?: string
}

const signIn = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: ({ next, reset, oidc }: Record<string, unknown>): SignInSearch => ({
    ...(typeof next === 'string' && { next }),
    ...(reset === true && { reset }),
    ...(typeof oidc === 'string' && { oidc }),
  }),
  component: lazyRouteComponent(() => import('./sign-in-page.tsx'), 'SignInPage'),
})

const forgotPassword = createRoute({
  getParentRoute: () => rootRoute,
  path: '/forgot-password',
  component: lazyRouteComponent(() => import('./forgot-password-page.tsx'), 'ForgotPasswordPage'),
})

const resetPassword = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset-password',
  component: lazyRouteComponent(() => import('./reset-password-page.tsx'), 'ResetPasswordPage'),
})

const invitation = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invitation',
  component: lazyRouteComponent(() => import('./invitation-page.tsx'), 'InvitationPage'),
})

const account = createRoute({
  getParentRoute: () => rootRoute,
  path: '/account',
  beforeLoad: async ({ context }) => void (await whoIsSignedIn(context.queries)),
  component: lazyRouteComponent(() => import('./account-page.tsx'), 'AccountPage'),
})

const newOrganization = createRoute({
  getParentRoute: () => rootRoute,
  path: '/organizations/new',
  beforeLoad: async ({ context }) => void (await whoIsSignedIn(context.queries)),
  component: lazyRouteComponent(() => import('./new-organization-page.tsx'), 'NewOrganizationPage'),
})

export const authRoutes = [setup, signIn, forgotPassword, resetPassword, invitation, account, newOrganization] as const

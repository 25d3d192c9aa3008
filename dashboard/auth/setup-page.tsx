import { Anchor, Text, TextInput } from '@mantine/core'
import { ConflictError } from '@groundwork/sdk'
import { useState } from 'react'
import { sessionClient } from '../lib/session.ts'
import { useForm } from '../shell/form.ts'
import { presentRegion, regionBody, RegionFields } from '../shell/region-fields.tsx'
import { useMessages } from '../messages/messages.ts'
import { goTo, useTokenInAddress } from './addresses.ts'
import { AuthForm } from './auth-form.tsx'
import { AuthFrame } from './auth-frame.tsx'
import { PasswordField } from './password-field.tsx'
import { useAttempt } from './use-attempt.ts'
import { accountMessages } from './account-messages.ts'

export function SetupPage() {
  const messages = useMessages(accountMessages)
  const token = useTokenInAddress()
  const [region] = useState(presentRegion)
  const form = useForm({ name: '', email: '', password: '', organizationName: '', region })
  const attempt = useAttempt(
    async (values: typeof form.values) => {
      const { region: chosen, ...others } = values
      await sessionClient().setup.create({ ...others, ...regionBody(chosen), token })
      form.reset(values)
      goTo('/app/')
    },
    { refuse: form.refuse, token },
  )
  if (token === '') {
    return (
      <AuthFrame title={messages.setup.noToken}>
        <Text>{messages.setup.noTokenHelp}</Text>
      </AuthFrame>
    )
  }
  if (attempt.error instanceof ConflictError) {
    return (
      <AuthFrame title={messages.setup.done}>
        <Anchor href="/app/sign-in">{messages.toSignIn}</Anchor>
      </AuthFrame>
    )
  }
  return (
    <AuthFrame title={messages.setup.title} about={messages.setup.about}>
      <AuthForm
        onSubmit={() => void attempt.run(form.values)}
        attempt={attempt}
        fields={[...Object.keys(form.values), ...Object.keys(form.values.region)]}
        action={messages.setup.action}
      >
        <TextInput
          label={messages.setup.organization}
          description={messages.setup.organizationHelp}
          {...form.text('organizationName')}
          autoComplete="organization"
          maxLength={200}
          required
        />
        <RegionFields
          values={form.values.region}
          onChange={(changes) => form.set('region', { ...form.values.region, ...changes })}
          errorOf={form.errorOf}
          withCurrencyOfCountry
        />
        <TextInput label={messages.yourName} {...form.text('name')} autoComplete="name" maxLength={200} required />
        <TextInput type="email" label={messages.email} {...form.text('email')} autoComplete="username" required />
        <PasswordField label={messages.password} description={messages.passwordHelp} {...form.field('password')} isNew />
      </AuthForm>
    </AuthFrame>
  )
}

import type { Contact } from '@groundwork/api'
import { Select, SimpleGrid, Textarea, TextInput } from '@mantine/core'
import { countryOptions } from '../lib/code-names.ts'
import { useMessages } from '../messages/messages.ts'
import { contactMessages } from './messages.ts'

export const addressParts = ['street', 'postalCode', 'city', 'region', 'country'] as const

/** The text of each part, empty without one. */
export type AddressValues = Record<(typeof addressParts)[number], string>

export const addressValues = (address: Contact['address']): AddressValues => ({
  street: address?.street ?? '',
  postalCode: address?.postalCode ?? '',
  city: address?.city ?? '',
  region: address?.region ?? '',
  country: address?.country ?? '',
})

/** Returns the address with the texts; null if all are empty. */
export function addressOf({ street, postalCode, city, region, country }: AddressValues): Contact['address'] {
  const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())
  const address = {
    street: orNull(street),
    postalCode: orNull(postalCode),
    city: orNull(city),
    region: orNull(region),
    country: orNull(country),
  }
  return Object.values(address).every((part) => part === null) ? null : address
}

interface AddressInputsProps {
  values: AddressValues
  set: (part: (typeof addressParts)[number], text: string) => void
  errorOf?: (path: string) => string | undefined
}

/** The fields of a postal address. */
export function AddressInputs({ values, set, errorOf = () => undefined }: AddressInputsProps) {
  const { addressParts: labels } = useMessages(contactMessages)
  const text = (part: (typeof addressParts)[number], maxLength: number) => ({
    label: labels[part],
    maxLength,
    value: values[part],
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => set(part, currentTarget.value),
    error: errorOf(`address.${part}`),
  })
  return (
    <>
      <Textarea {...text('street', 300)} autosize minRows={1} data-autofocus />
      <SimpleGrid cols={2}>
        <TextInput {...text('postalCode', 20)} />
        <TextInput {...text('city', 120)} />
        <TextInput {...text('region', 120)} />
        <Select
          label={labels.country}
          data={countryOptions(values.country === '' ? null : values.country)}
          searchable
          clearable
          value={values.country === '' ? null : values.country}
          onChange={(country) => set('country', country ?? '')}
          error={errorOf('address.country')}
        />
      </SimpleGrid>
    </>
  )
}

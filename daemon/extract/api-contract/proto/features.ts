import type { OptionValue, SchemaFeatures, SchemaOption } from '../../../model/proto-schema.ts';

/** What protobuf's "Feature Settings for Editions" gives as defaults. */
const ofEditions: SchemaFeatures = {
  fieldPresence: 'EXPLICIT',
  enumType: 'OPEN',
  repeatedFieldEncoding: 'PACKED',
  utf8Validation: 'VERIFY',
  messageEncoding: 'LENGTH_PREFIXED',
  jsonFormat: 'ALLOW',
};
const ofProto3: SchemaFeatures = { ...ofEditions, fieldPresence: 'IMPLICIT' };
const ofProto2: SchemaFeatures = {
  ...ofEditions,
  enumType: 'CLOSED',
  repeatedFieldEncoding: 'EXPANDED',
  utf8Validation: 'NONE',
  jsonFormat: 'LEGACY_BEST_EFFORT',
};

/** What holds in a file that sets no features. */
export function featuresOfSyntax(syntax: string): SchemaFeatures {
  if (syntax === 'proto2') return ofProto2;
  return syntax === 'proto3' ? ofProto3 : ofEditions;
}

/** Those around an element, with what its options set: `features.enum_type = CLOSED`, `features = { enum_type: CLOSED }`. */
export function featuresOf(options: readonly SchemaOption[], around: SchemaFeatures): SchemaFeatures {
  let features = around;
  for (const { name, value } of options) {
    if (name.startsWith('features.')) features = withFeature(features, name.slice('features.'.length), value);
    else if (name === 'features' && value.kind === 'message')
      for (const entry of value.entries) features = withFeature(features, entry.name, entry.value);
  }
  return features;
}

/** What is set to a word that the feature has not is left as it was. */
function withFeature(features: SchemaFeatures, name: string, value: OptionValue): SchemaFeatures {
  const word = value.kind === 'word' ? value.text : '';
  switch (name) {
    case 'field_presence':
      return is(word, presences) ? { ...features, fieldPresence: word } : features;
    case 'enum_type':
      return is(word, enumTypes) ? { ...features, enumType: word } : features;
    case 'repeated_field_encoding':
      return is(word, listEncodings) ? { ...features, repeatedFieldEncoding: word } : features;
    case 'utf8_validation':
      return is(word, validations) ? { ...features, utf8Validation: word } : features;
    case 'message_encoding':
      return is(word, encodings) ? { ...features, messageEncoding: word } : features;
    case 'json_format':
      return is(word, jsonFormats) ? { ...features, jsonFormat: word } : features;
    default:
      return features;
  }
}

const presences = ['EXPLICIT', 'IMPLICIT', 'LEGACY_REQUIRED'] as const;
const enumTypes = ['OPEN', 'CLOSED'] as const;
const listEncodings = ['PACKED', 'EXPANDED'] as const;
const validations = ['VERIFY', 'NONE'] as const;
const encodings = ['LENGTH_PREFIXED', 'DELIMITED'] as const;
const jsonFormats = ['ALLOW', 'LEGACY_BEST_EFFORT'] as const;

function is<Word extends string>(word: string, words: readonly Word[]): word is Word {
  return words.some(one => one === word);
}

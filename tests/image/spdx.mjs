// A schema for our SBOM, with the SPDX 2.3 rules for the members that we use. All other members are rejected. There is no npm package
// that contains SPDX's own schema.

const text = { type: 'string', minLength: 1 };
const id = { type: 'string', pattern: '^SPDXRef-[A-Za-z0-9.-]+$' };
const time = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$' };
// SPDX allows licence expressions, but we only use single values.
const licence = { enum: ['NOASSERTION', 'NONE', 'MIT'] };
const strict = (required, optional = {}) =>
  ({ type: 'object', additionalProperties: false, required: Object.keys(required), properties: { ...required, ...optional } });
const list = (items) => ({ type: 'array', minItems: 1, uniqueItems: true, items });

export const SPDX = strict({
  spdxVersion: { const: 'SPDX-2.3' },
  dataLicense: { const: 'CC0-1.0' },
  SPDXID: { const: 'SPDXRef-DOCUMENT' },
  name: text,
  documentNamespace: { type: 'string', pattern: '^https://[^\\s#]+$' },
  creationInfo: strict({ created: time, creators: list({ type: 'string', pattern: '^(Tool|Organization|Person): .' }) }),
  packages: list(strict({
    SPDXID: id,
    name: text,
    downloadLocation: { enum: ['NOASSERTION', 'NONE'] },
    // Tools that read SBOMs look for these two members, although the specification does not require them.
    versionInfo: text,
    externalRefs: list(strict({
      referenceCategory: { const: 'PACKAGE-MANAGER' },
      referenceType: { const: 'purl' },
      referenceLocator: { type: 'string', pattern: '^pkg:[a-z]+/[A-Za-z0-9._~%/+-]+@[A-Za-z0-9._~%:-]+(\\?[a-z]+=[A-Za-z0-9._~%-]+(&[a-z]+=[A-Za-z0-9._~%-]+)*)?$' },
    })),
  }, {
    filesAnalyzed: { const: false },
    licenseConcluded: licence,
    licenseDeclared: licence,
    licenseComments: text,
    copyrightText: text,
    sourceInfo: text,
    supplier: { type: 'string', pattern: '^(NOASSERTION$|(Organization|Person): .)' },
    homepage: { type: 'string', pattern: '^https?://' },
    primaryPackagePurpose: { enum: ['APPLICATION', 'LIBRARY', 'CONTAINER'] },
    checksums: list(strict({ algorithm: { const: 'SHA512' }, checksumValue: { type: 'string', pattern: '^[0-9a-f]{128}$' } })),
  })),
  relationships: list(strict({
    spdxElementId: id,
    relationshipType: { enum: ['DESCRIBES', 'CONTAINS', 'DEPENDS_ON'] },
    relatedSpdxElement: id,
  })),
});

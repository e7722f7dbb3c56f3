import { unsupportedMediaType } from './errors';

/** The media type `kubectl` sends some built-in kinds in. */
export const PROTOBUF = 'application/vnd.kubernetes.protobuf';

type Shape =
  | 'string'
  | 'integer'
  | 'boolean'
  | 'base64'
  | 'ignored'
  | { map: 'string' | 'base64' }
  | { list: 'string' | { message: Message } }
  | { message: Message };

/** Fields by their numbers in Kubernetes' `generated.proto` files. */
type Message = Record<number, [name: string, shape: Shape]>;

const OWNER_REFERENCE: Message = {
  1: ['kind', 'string'],
  3: ['name', 'string'],
  4: ['uid', 'string'],
  5: ['apiVersion', 'string'],
  6: ['controller', 'boolean'],
  7: ['blockOwnerDeletion', 'boolean'],
};

const METADATA: Message = {
  1: ['name', 'string'],
  2: ['generateName', 'string'],
  3: ['namespace', 'string'],
  5: ['uid', 'string'],
  6: ['resourceVersion', 'string'],
  11: ['labels', { map: 'string' }],
  12: ['annotations', { map: 'string' }],
  13: ['ownerReferences', { list: { message: OWNER_REFERENCE } }],
  14: ['finalizers', { list: 'string' }],
};

const withMetadata = (fields: Message): Message => ({
  1: ['metadata', { message: METADATA }],
  ...fields,
});

/**
 * Kinds that `kubectl` sends in protobuf and that are small enough to be worth
 * decoding: questions about permissions, scaling, `kubectl create <kind>`.
 */
const MESSAGES: Record<string, Message> = {
  'v1/DeleteOptions': {
    1: ['gracePeriodSeconds', 'integer'],
    2: [
      'preconditions',
      { message: { 1: ['uid', 'string'], 2: ['resourceVersion', 'string'] } },
    ],
    4: ['propagationPolicy', 'string'],
    5: ['dryRun', { list: 'string' }],
  },
  'v1/ConfigMap': withMetadata({
    2: ['data', { map: 'string' }],
    3: ['binaryData', { map: 'base64' }],
    4: ['immutable', 'boolean'],
  }),
  'v1/Secret': withMetadata({
    2: ['data', { map: 'base64' }],
    3: ['type', 'string'],
    4: ['stringData', { map: 'string' }],
    5: ['immutable', 'boolean'],
  }),
  'v1/Namespace': withMetadata({}),
  'v1/ServiceAccount': withMetadata({}),
  'autoscaling/v1/Scale': withMetadata({
    2: ['spec', { message: { 1: ['replicas', 'integer'] } }],
  }),
  'authorization.k8s.io/v1/SelfSubjectAccessReview': withMetadata({
    2: [
      'spec',
      {
        message: {
          1: [
            'resourceAttributes',
            {
              message: {
                1: ['namespace', 'string'],
                2: ['verb', 'string'],
                3: ['group', 'string'],
                4: ['version', 'string'],
                5: ['resource', 'string'],
                6: ['subresource', 'string'],
                7: ['name', 'string'],
              },
            },
          ],
          2: [
            'nonResourceAttributes',
            { message: { 1: ['path', 'string'], 2: ['verb', 'string'] } },
          ],
        },
      },
    ],
  }),
  'authorization.k8s.io/v1/SelfSubjectRulesReview': withMetadata({
    2: ['spec', { message: { 1: ['namespace', 'string'] } }],
  }),
  'authentication.k8s.io/v1/SelfSubjectReview': withMetadata({}),
};

/** Reads fields one by one: varints as bigint, all else as bytes. */
class Reader {
  readonly #bytes: Buffer;
  #position = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#position >= this.#bytes.length;
  }

  field(): { number: number; value: bigint | Buffer } {
    const tag = Number(this.#varint());
    const number = tag >> 3;
    switch (tag & 7) {
      case 0:
        return { number, value: this.#varint() };
      case 1:
        return { number, value: this.#take(8) };
      case 5:
        return { number, value: this.#take(4) };
      default:
        return { number, value: this.#take(Number(this.#varint())) };
    }
  }

  #varint(): bigint {
    let value = 0n;
    for (let shift = 0n; !this.isAtEnd; shift += 7n) {
      const byte = this.#bytes[this.#position];
      this.#position += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) {
        break;
      }
    }
    return value;
  }

  #take(length: number): Buffer {
    const start = this.#position;
    this.#position += length;
    return this.#bytes.subarray(start, this.#position);
  }
}

const MAGIC = Buffer.from('k8s\0', 'latin1');
const ENVELOPE: Message = {
  1: [
    'typeMeta',
    { message: { 1: ['apiVersion', 'string'], 2: ['kind', 'string'] } },
  ],
  2: ['raw', 'base64'],
};

/**
 * Decodes an object in Kubernetes' protobuf envelope.
 *
 * @throws ApiStatusError 415 for kinds this does not know: send JSON
 */
export function decodeProtobuf(body: Buffer): Record<string, any> {
  const envelope = body.subarray(0, MAGIC.length).equals(MAGIC)
    ? decode(body.subarray(MAGIC.length), ENVELOPE)
    : {};
  const { apiVersion = '', kind = '' } = envelope.typeMeta ?? {};
  // Options of a deletion may come in the version of what is deleted.
  const message =
    MESSAGES[
      kind === 'DeleteOptions' ? 'v1/DeleteOptions' : `${apiVersion}/${kind}`
    ];
  if (!message) {
    throw unsupportedMediaType(['application/json', 'application/yaml']);
  }
  return {
    apiVersion,
    kind,
    ...decode(Buffer.from(envelope.raw ?? '', 'base64'), message),
  };
}

function decode(bytes: Buffer, message: Message): Record<string, any> {
  const result: Record<string, any> = {};
  const reader = new Reader(bytes);
  while (!reader.isAtEnd) {
    const { number, value } = reader.field();
    const [name, shape] = message[number] ?? ['', 'ignored'];
    if (shape === 'ignored') {
      continue;
    }
    if (typeof shape === 'object' && 'list' in shape) {
      result[name] = [...(result[name] ?? []), convert(value, shape.list)];
    } else if (typeof shape === 'object' && 'map' in shape) {
      const entry = decode(value as Buffer, {
        1: ['key', 'string'],
        2: ['value', shape.map],
      });
      result[name] = {
        ...result[name],
        [entry.key ?? '']: entry.value ?? '',
      };
    } else {
      const converted = convert(value, shape);
      // Go writes empty strings where JSON leaves the field out.
      if (converted !== '') {
        result[name] = converted;
      }
    }
  }
  return result;
}

function convert(value: bigint | Buffer, shape: Shape): unknown {
  if (typeof value === 'bigint') {
    return shape === 'boolean'
      ? value !== 0n
      : Number(BigInt.asIntN(64, value));
  }
  if (shape === 'base64') {
    return value.toString('base64');
  }
  if (typeof shape === 'object' && 'message' in shape) {
    return decode(value, shape.message);
  }
  return value.toString('utf8');
}

import { AllowedNetwork } from '../../config';
import { AddressPolicy } from './AddressPolicy';

const ipv4 = (address: string, prefix: number): AllowedNetwork => ({
  address,
  prefix,
  family: 'ipv4',
});
const ipv6 = (address: string, prefix: number): AllowedNetwork => ({
  address,
  prefix,
  family: 'ipv6',
});

describe('which addresses the portal visits', () => {
  const byDefault = AddressPolicy.create({ allowedNetworks: [] });

  it.each([
    '1.1.1.1',
    '52.95.110.1',
    '172.15.255.255',
    '172.32.0.1',
    '192.167.255.255',
    '2606:4700:4700::1111',
    '2a00:1450:4003:80e::2004',
  ])('visits the public address %s', address => {
    expect(byDefault.permits(address)).toBe(true);
  });

  it.each([
    ['loopback', '127.0.0.1'],
    ['all of loopback', '127.255.255.254'],
    ['loopback of IPv6', '::1'],
    ['this host', '0.0.0.0'],
    ['this host, by another address', '0.1.2.3'],
    ['this host of IPv6', '::'],
    ['private', '10.0.0.1'],
    ['private', '172.16.0.1'],
    ['private', '172.31.255.254'],
    ['private', '192.168.1.1'],
    ['shared by providers', '100.64.0.1'],
    ['link-local', '169.254.1.1'],
    ['metadata of clouds', '169.254.169.254'],
    ['credentials of tasks', '169.254.170.2'],
    ['metadata of Alibaba', '100.100.100.200'],
    ['the host of Azure', '168.63.129.16'],
    ['documentation', '192.0.2.1'],
    ['documentation', '198.51.100.1'],
    ['documentation', '203.0.113.1'],
    ['benchmarks', '198.18.0.1'],
    ['multicast', '224.0.0.1'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['unique local', 'fd12:3456::1'],
    ['unique local', 'fc00::1'],
    ['link-local of IPv6', 'fe80::1'],
    ['link-local with a zone', 'fe80::1%eth0'],
    ['site-local', 'fec0::1'],
    ['multicast of IPv6', 'ff02::1'],
    ['metadata over IPv6', 'fd00:ec2::254'],
    ['documentation of IPv6', '2001:db8::1'],
    ['IPv4 inside IPv6, private', '::ffff:10.0.0.1'],
    ['IPv4 inside IPv6, public', '::ffff:1.1.1.1'],
    ['IPv4 inside IPv6, in hexadecimal', '::ffff:7f00:1'],
    ['IPv4 behind IPv6', '::127.0.0.1'],
    ['NAT64', '64:ff9b::a9fe:a9fe'],
    ['NAT64, public', '64:ff9b::101:101'],
    ['local NAT64', '64:ff9b:1::a00:1'],
    ['6to4', '2002:7f00:1::1'],
    ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
    ['nothing', ''],
    ['no address', 'localhost'],
    ['a short form', '127.1'],
    ['a number', '2130706433'],
  ])('refuses %s: %s', (_, address) => {
    expect(byDefault.permits(address)).toBe(false);
  });

  it('visits what is not public where it is allowed, and nothing beside it', () => {
    const policy = AddressPolicy.create({
      allowedNetworks: [
        ipv4('10.1.0.0', 16),
        ipv4('127.0.0.1', 32),
        ipv6('fd12::', 16),
      ],
    });
    expect(policy.permits('10.1.2.3')).toBe(true);
    expect(policy.permits('10.2.0.1')).toBe(false);
    expect(policy.permits('127.0.0.1')).toBe(true);
    expect(policy.permits('127.0.0.2')).toBe(false);
    expect(policy.permits('fd12::1')).toBe(true);
    expect(policy.permits('fd13::1')).toBe(false);
    expect(policy.permits('::1')).toBe(false);
    // The way is not allowed by where it leads.
    expect(policy.permits('::ffff:10.1.2.3')).toBe(false);
  });

  it('never visits metadata, multicast and unspecified addresses, whatever is allowed', () => {
    const policy = AddressPolicy.create({
      allowedNetworks: [ipv4('0.0.0.0', 0), ipv6('::', 0)],
    });
    expect(policy.permits('10.0.0.1')).toBe(true);
    expect(policy.permits('::1')).toBe(true);
    for (const address of [
      '169.254.169.254',
      '169.254.170.2',
      '0.0.0.0',
      '224.0.0.1',
      '255.255.255.255',
      '::',
      'ff02::1',
      'fd00:ec2::254',
      '::ffff:169.254.169.254',
      '64:ff9b::a9fe:a9fe',
      '64:ff9b:1::a9fe:a9fe',
      '::169.254.169.254',
      '2002:a9fe:a9fe::1',
    ]) {
      expect([address, policy.permits(address)]).toEqual([address, false]);
    }
  });

  it('visits through NAT64 only what may be visited without it', () => {
    const policy = AddressPolicy.create({
      allowedNetworks: [ipv6('64:ff9b::', 96)],
    });
    expect(policy.permits('64:ff9b::101:101')).toBe(true);
    expect(policy.permits('64:ff9b::a00:1')).toBe(false);
    expect(policy.permits('64:ff9b::7f00:1')).toBe(false);
    expect(policy.permits('64:ff9b::')).toBe(false);
  });
});

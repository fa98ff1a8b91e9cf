package dev.fakegpu.util;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class Sha256Test {

    /** FIPS 180-2, appendix B.1. */
    @Test
    void isTheStandardsDigestInLowercase() {
        assertThat(Sha256.hex("abc")).isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    @Test
    void textIsDigestedAsUtf8() {
        assertThat(Sha256.hex("…")).isEqualTo(Sha256.hex(new byte[] {(byte) 0xe2, (byte) 0x80, (byte) 0xa6}));
    }
}

package dev.fakegpu.util;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 digests. */
public final class Sha256 {
    private Sha256() {}

    public static byte[] digest(byte[] content) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(content);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }

    /** The digest as 64 lowercase hexadecimal digits. */
    public static String hex(byte[] content) {
        return HexFormat.of().formatHex(digest(content));
    }

    /** The digest of the text in UTF-8, as 64 lowercase hexadecimal digits. */
    public static String hex(String text) {
        return hex(text.getBytes(UTF_8));
    }
}

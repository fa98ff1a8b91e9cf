package dev.fakegpu.operator.prepare.plugin;

import java.util.regex.Pattern;

/** UIDs of claims, which are used as names of files. The API server generates them; the kubelet and files on the node only repeat them. */
final class ClaimUid {

    private static final Pattern UID = Pattern.compile("[0-9a-f-]{36}");

    private ClaimUid() {}

    /** Whether it has the form of the API server's UIDs, which is never a path. */
    static boolean isValid(String uid) {
        return UID.matcher(uid).matches();
    }

    /** @throws IllegalArgumentException if it is not valid */
    static String require(String uid) {
        if (!isValid(uid)) {
            throw new IllegalArgumentException("this is not the UID of a claim: " + uid);
        }
        return uid;
    }
}

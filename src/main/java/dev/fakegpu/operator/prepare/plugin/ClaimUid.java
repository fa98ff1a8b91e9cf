package dev.fakegpu.operator.prepare.plugin;

import java.util.regex.Pattern;

/** UIDs of claims, which become names of files. The API server makes them; the kubelet and files of the node only repeat them. */
final class ClaimUid {

    private static final Pattern UID = Pattern.compile("[0-9a-f-]{36}");

    private ClaimUid() {}

    /** Whether it has the form of the API server's UIDs; nothing of that form is a path. */
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

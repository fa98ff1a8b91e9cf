package dev.fakegpu.cel.library;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.fakegpu.cel.value.Failure;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Compiles and caches regular expressions in RE2 syntax, which is Go's. */
public final class Regexes {

    /** Nearly all expressions are literals; the limit keeps computed ones from filling the heap. */
    private static final int MAX_REMEMBERED = 1_024;

    private static final Map<String, Pattern> COMPILED = new ConcurrentHashMap<>();

    private Regexes() {}

    /** @throws Failure if it is not a regular expression */
    public static Pattern compile(String regex) {
        Pattern known = COMPILED.get(regex);
        return known == null ? compileNew(regex) : known;
    }

    private static Pattern compileNew(String regex) {
        try {
            Pattern pattern = Pattern.compile(regex);
            if (COMPILED.size() < MAX_REMEMBERED) {
                COMPILED.put(regex, pattern);
            }
            return pattern;
        } catch (PatternSyntaxException e) {
            throw new Failure("Illegal regex: " + e.getMessage());
        }
    }
}

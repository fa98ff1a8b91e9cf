package dev.fakegpu.engine.cel.library;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.fakegpu.engine.cel.value.Failure;
import dev.fakegpu.engine.cel.value.Steps;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Compiles and caches regular expressions in RE2 syntax, which is Go's. */
public final class Regexes {

    /** Nearly all expressions are literals; the limit keeps computed ones from filling the heap. */
    private static final int MAX_REMEMBERED = 1_024;

    /** Of a compiled expression, in instructions. Go's limit is 128 MiB, which each of the remembered ones could take. */
    private static final long MAX_SIZE = 20_000;

    /** Characters whose case is looked up in the time in which one instruction is made. */
    private static final int LOOKUPS = 5;

    private static final Map<String, Pattern> COMPILED = new ConcurrentHashMap<>();

    private Regexes() {}

    /** @throws Failure if it is not a regular expression */
    public static Pattern compile(String regex) {
        Pattern known = COMPILED.get(regex);
        return known == null ? compileNew(regex) : known;
    }

    /** A matcher for a text; how long it takes depends on the length of both. */
    static Matcher matcher(String regex, String text) {
        Pattern pattern = compile(regex);
        takeSteps(pattern, text.length());
        return pattern.matcher(text);
    }

    /** Before a search in so many characters. */
    static void takeSteps(Pattern pattern, long length) {
        Steps.take((1 + length) * (1 + pattern.programSize() / 10));
    }

    private static Pattern compileNew(String regex) {
        if (RegexSize.of(regex) + FoldedCharacters.of(regex) / LOOKUPS > MAX_SIZE) {
            throw new Failure("Illegal regex: expression too large");
        }
        Steps.text(regex.length());
        try {
            Pattern pattern = Pattern.compile(regex);
            if (COMPILED.size() < MAX_REMEMBERED) {
                COMPILED.put(regex, pattern);
            }
            return pattern;
        } catch (PatternSyntaxException e) {
            throw new Failure("Illegal regex: " + e.getMessage());
        } catch (StackOverflowError e) {
            throw new Failure("Illegal regex: expression nests too deeply");
        }
    }
}

package dev.fakegpu.engine.cel.library;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import java.util.ArrayList;
import java.util.List;

/** {@code find} and {@code findAll}. Upstream: {@code apiserver/pkg/cel/library/regex.go}. */
final class RegexLibrary extends FunctionLibrary {

    RegexLibrary() {
        var texts = ListType.create(SimpleType.STRING);
        member(
                "find",
                "string_find_string",
                SimpleType.STRING,
                SimpleType.STRING,
                SimpleType.STRING,
                RegexLibrary::find);
        member(
                "findAll",
                "string_find_all_string",
                texts,
                SimpleType.STRING,
                SimpleType.STRING,
                (String text, String regex) -> findAll(text, regex, -1));
        member(
                "findAll",
                "string_find_all_string_int",
                texts,
                types(SimpleType.STRING, SimpleType.STRING, SimpleType.INT),
                args -> findAll((String) args[0], (String) args[1], (Long) args[2]));
    }

    private static String find(String text, String regex) {
        Matcher matcher = Regexes.matcher(regex, text);
        return matcher.find() ? matcher.group() : "";
    }

    /** As in Go, an empty match right after another match does not count. */
    private static List<String> findAll(String text, String regex, long limit) {
        var found = new ArrayList<String>();
        Pattern pattern = Regexes.compile(regex);
        Matcher matcher = pattern.matcher(text);
        int previousEnd = -1;
        while (limit < 0 || found.size() < limit) {
            Regexes.takeSteps(pattern, text.length() - Math.max(previousEnd, 0)); // it may read the rest
            if (!matcher.find()) {
                break;
            }
            if (matcher.end() > matcher.start() || matcher.start() != previousEnd) {
                found.add(matcher.group());
            }
            previousEnd = matcher.end();
        }
        return found;
    }
}

package dev.fakegpu.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

class CanonicalBytecodeTest {

    private static final String SHARED = "io/quarkus/runtime/generated/SharedConfig";
    private static final String CUSTOMIZER = "io/quarkus/runtime/generated/RunTimeConfigCustomizer";
    private static final String BUILDER = "io/quarkus/runtime/configuration/AbstractConfigBuilder";
    private static final String CONFIG_CLASS = "Lio/smallrye/config/ConfigMappings$ConfigClass;";
    private static final String RETRY = "io/javaoperatorsdk/operator/processing/retry/GenericRetry";

    /** The differences between two builds of the same sources. */
    private record Build(String key, String otherKey, List<String> configClasses, boolean initialInterval) {}

    private static final Build ONE = new Build("proxykey7", "proxykey12", List.of("A", "B", "C"), true);
    private static final Build OTHER = new Build("proxykey31", "proxykey4", List.of("C", "A", "B"), false);

    @Test
    void buildsThatDifferInNothingElseAreEqual() throws IOException {
        assertThat(canonical(jar(OTHER))).containsExactlyInAnyOrderEntriesOf(canonical(jar(ONE)));
    }

    @Test
    void theCanonicalFormStaysAsItIs() throws IOException {
        var canonical = canonical(jar(OTHER));

        assertThat(canonical(canonical)).containsExactlyInAnyOrderEntriesOf(canonical);
    }

    @Test
    void keysStillHaveTheirValues() throws IOException {
        var canonical = canonical(jar(OTHER));

        assertThat(names(canonical.get("Put.class"))).containsExactly("proxykey1", "proxykey2");
        assertThat(names(canonical.get("Read.class"))).containsExactly("proxykey2", "proxykey3");
    }

    @Test
    void configClassesAreNamedAsBefore() throws IOException {
        var canonical = canonical(jar(OTHER));

        assertThat(names(canonical.get(SHARED + ".class")))
                .containsSubsequence(
                        "A", "configClass$0", "A$Part", "B", "configClass$1", "B$Part", "C", "configClass$2", "C$Part")
                .endsWith("configClass$1");
        assertThat(names(canonical.get(CUSTOMIZER + ".class")))
                .containsExactly(
                        "configClass$1",
                        "withMappingInstance",
                        "configClass$0",
                        "withMapping",
                        "configClass$1",
                        "withMapping",
                        "configClass$2",
                        "withMapping");
    }

    @Test
    void anInitialIntervalThatIsNotTheDefaultIsRefused() {
        var jar = jar(ONE);
        jar.put("Retry.class", type("Retry", code -> setInitialInterval(code, 500)));

        assertThatThrownBy(() -> canonical(jar))
                .isInstanceOf(IOException.class)
                .hasMessage("Retry has a retry with an initial interval that is not the default");
    }

    @Test
    void keysInOtherPlacesAreRefused() {
        var jar = jar(ONE);
        jar.put("Odd.class", type("Odd", code -> code.visitLdcInsn("not only proxykey7")));

        assertThatThrownBy(() -> canonical(jar))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("Odd.class uses keys");
    }

    @Test
    void aSharedConfigOfAnotherFormIsRefused() {
        var jar = jar(ONE);
        jar.put(SHARED + ".class", type(SHARED, code -> code.visitInsn(Opcodes.NOP)));

        assertThatThrownBy(() -> canonical(jar)).isInstanceOf(IOException.class).hasMessageContaining("in another way");
    }

    private static Map<String, byte[]> canonical(Map<String, byte[]> jar) throws IOException {
        Map<String, byte[]> canonical = new HashMap<>(jar);
        canonical.putAll(CanonicalBytecode.canonical(jar));
        return canonical;
    }

    private static Map<String, byte[]> jar(Build build) {
        Map<String, byte[]> jar = new HashMap<>();
        jar.put("Put.class", type("Put", code -> {
            code.visitLdcInsn("proxykey99");
            code.visitLdcInsn(build.key());
        }));
        jar.put("Read.class", type("Read", code -> {
            code.visitLdcInsn(build.key());
            code.visitLdcInsn(build.otherKey());
        }));
        jar.put(SHARED + ".class", shared(build));
        jar.put(CUSTOMIZER + ".class", customizer(build));
        jar.put("Retry.class", type("Retry", code -> {
            if (build.initialInterval()) {
                setInitialInterval(code, 2000);
            }
            code.visitTypeInsn(Opcodes.NEW, RETRY);
        }));
        return jar;
    }

    /** Creates the configuration classes in the order of the build, and reads the field of B. */
    private static byte[] shared(Build build) {
        var writer = new ClassWriter(0);
        writer.visit(Opcodes.V17, Opcodes.ACC_PUBLIC, SHARED, null, BUILDER, null);
        for (var i = 0; i < build.configClasses().size(); i++) {
            writer.visitField(Opcodes.ACC_STATIC, "configClass$" + i, CONFIG_CLASS, null, null);
        }
        method(writer, "<clinit>", code -> {
            for (var name : build.configClasses()) {
                code.visitLdcInsn(name);
                code.visitLdcInsn("prefix");
                code.visitMethodInsn(Opcodes.INVOKESTATIC, BUILDER, "configClass", "()" + CONFIG_CLASS, false);
                code.visitFieldInsn(Opcodes.PUTSTATIC, SHARED, field(build, name), CONFIG_CLASS);
                for (var loaded : List.of(name, name + "$Part")) {
                    code.visitLdcInsn(loaded);
                    code.visitMethodInsn(Opcodes.INVOKESTATIC, BUILDER, "ensureLoaded", "(Ljava/lang/String;)V", false);
                }
            }
            code.visitFieldInsn(Opcodes.GETSTATIC, SHARED, field(build, "B"), CONFIG_CLASS);
        });
        return writer.toByteArray();
    }

    private static byte[] customizer(Build build) {
        return type(CUSTOMIZER, code -> {
            code.visitFieldInsn(Opcodes.GETSTATIC, SHARED, field(build, "B"), CONFIG_CLASS);
            code.visitMethodInsn(Opcodes.INVOKESTATIC, BUILDER, "withMappingInstance", "()V", false);
            var variable = 2;
            for (var name : build.configClasses()) {
                code.visitFieldInsn(Opcodes.GETSTATIC, SHARED, field(build, name), CONFIG_CLASS);
                code.visitVarInsn(Opcodes.ASTORE, variable);
                code.visitVarInsn(Opcodes.ALOAD, 1);
                code.visitVarInsn(Opcodes.ALOAD, variable++);
                code.visitMethodInsn(Opcodes.INVOKESTATIC, BUILDER, "withMapping", "()V", false);
            }
        });
    }

    private static String field(Build build, String configClass) {
        return "configClass$" + build.configClasses().indexOf(configClass);
    }

    private static void setInitialInterval(MethodVisitor code, long interval) {
        code.visitVarInsn(Opcodes.ALOAD, 1);
        code.visitLdcInsn(interval);
        code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, RETRY, "setInitialInterval", "(J)L" + RETRY + ";", false);
        code.visitInsn(Opcodes.POP);
    }

    private static byte[] type(String name, Consumer<MethodVisitor> code) {
        var writer = new ClassWriter(0);
        writer.visit(Opcodes.V17, Opcodes.ACC_PUBLIC, name, null, "java/lang/Object", null);
        method(writer, "run", code);
        return writer.toByteArray();
    }

    private static void method(ClassWriter writer, String name, Consumer<MethodVisitor> instructions) {
        var code = writer.visitMethod(Opcodes.ACC_STATIC, name, "()V", null, null);
        code.visitCode();
        instructions.accept(code);
        code.visitInsn(Opcodes.RETURN);
        code.visitMaxs(9, 9);
        code.visitEnd();
    }

    /** The names that the instructions of the only method load, set or call. */
    private static List<String> names(byte[] content) {
        var type = new ClassNode();
        new ClassReader(content).accept(type, 0);
        var names = new ArrayList<String>();
        for (var instruction : type.methods.get(0).instructions) {
            name(instruction).ifPresent(names::add);
        }
        return names;
    }

    private static Optional<String> name(AbstractInsnNode instruction) {
        if (instruction instanceof LdcInsnNode load) {
            return Optional.of(load.cst.toString());
        }
        if (instruction instanceof FieldInsnNode field) {
            return Optional.of(field.name);
        }
        return instruction instanceof MethodInsnNode call ? Optional.of(call.name) : Optional.empty();
    }
}
